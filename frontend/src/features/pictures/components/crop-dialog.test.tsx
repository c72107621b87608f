// Cancel while the picture is being cropped. The cropper needs a layout, which happy-dom lacks, so it is replaced.
import { act, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { button, byRole, openPart, toasts, user } from '@/testing/render';
import { CropDialog } from './crop-dialog';

type Report = (percent: object, pixels: object) => void;

vi.mock('react-easy-crop', () => ({
  default: (props: { zoom: number; onCropAreaChange: Report; cropperProps: object }) => {
    const { onCropAreaChange: report, zoom } = props;
    // biome-ignore lint/correctness/useExhaustiveDependencies: reports once, like the cropper after it loaded
    useEffect(() => report({}, { x: 0, y: 0, width: 400 / zoom, height: 100 / zoom }), [zoom]);
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the real one has it
    return <div tabIndex={0} {...props.cropperProps} />;
  },
}));

/** Ends the cropping that Apply has started. */
let finish: BlobCallback = () => {};

beforeEach(() => {
  vi.stubGlobal(
    'Image',
    class {
      naturalWidth = 400;
      naturalHeight = 200;
      onload: (() => void) | null = null;
      set src(_url: string) {
        queueMicrotask(() => this.onload?.());
      }
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback) => {
    finish = callback;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open() {
  const [onApply, onCancel] = [vi.fn(), vi.fn()];
  const file = new File(['x'], 'sea.png', { type: 'image/png' });
  const { rerender } = openPart(<CropDialog file={file} shape="cover" onApply={onApply} onCancel={onCancel} />);
  await waitFor(() => expect(button('Apply')).toBeEnabled());
  return { onApply, onCancel, close: () => rerender(<div />) };
}

it('Cancel during Apply cancels: no picture, and no message', async () => {
  const { onApply, onCancel, close } = await open();
  await user.click(button('Apply'));
  expect(button('Apply')).toBeDisabled();
  await user.click(button('Cancel'));
  expect(onCancel).toHaveBeenCalledOnce();
  close();
  await act(async () => finish(new Blob(['x'], { type: 'image/webp' })));
  expect(onApply).not.toHaveBeenCalled();
  expect(toasts()).toEqual([]);
});

it('Apply hands over the cropped picture and says so', async () => {
  const { onApply } = await open();
  await user.click(button('Apply'));
  await act(async () => finish(new Blob(['x'], { type: 'image/webp' })));
  expect(onApply).toHaveBeenCalledWith(expect.objectContaining({ extension: 'webp' }));
  await waitFor(() => expect(toasts()).toContain('Image repositioned'));
});

it('plus and minus zoom, Reset returns to the whole picture', async () => {
  await open();
  byRole('application', /^Cover position/).focus();
  await user.keyboard('++-');
  expect(screen.getByText('110%')).toBeVisible();
  await user.click(button('Reset'));
  expect(screen.getByText('100%')).toBeVisible();
});
