import { expect, it } from 'vitest';
import { toastBottom } from './toast-clearance';

const VIEW = { width: 1024, height: 800 };
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const BAR = box(248, 723, 676, 800);

it('toasts start at the lower edge beside a form, and above a save bar that reaches below them', () => {
  expect(toastBottom([box(248, 723, 600, 800)], VIEW)).toBe(24);
  expect(toastBottom([BAR], VIEW)).toBe(89);
});

it('toasts start above the field in use if they would cover it', () => {
  expect(toastBottom([BAR, box(500, 660, 660, 706)], VIEW)).toBe(152);
  // To the left of the toasts, above them, or as high as the window.
  expect(toastBottom([BAR, box(270, 660, 480, 706)], VIEW)).toBe(89);
  expect(toastBottom([BAR, box(500, 300, 660, 346)], VIEW)).toBe(89);
  expect(toastBottom([BAR, box(270, 90, 660, 720)], VIEW)).toBe(89);
});

it('the order of the boxes does not matter, and a save bar further up is passed', () => {
  expect(toastBottom([box(500, 660, 660, 706), BAR], VIEW)).toBe(152);
  expect(toastBottom([box(248, 400, 676, 477)], VIEW)).toBe(24);
});
