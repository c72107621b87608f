// The shapes of pictures that are positioned before they are saved, and the canvas that crops them. `react-easy-crop`
// computes the visible area.
import { pictureOf } from './files';

export interface Shape {
  name: string;
  title: string;
  /** Width divided by height. */
  ratio: number;
  /** The width of the result in pixels. */
  width: number;
}

export const SHAPES = {
  cover: { name: 'Cover', title: 'Reposition cover', ratio: 4, width: 1600 },
  portrait: { name: 'Photo', title: 'Reposition photo', ratio: 1 / 1.08, width: 800 },
  banner: { name: 'Banner', title: 'Reposition banner', ratio: 4, width: 1600 },
  logo: { name: 'Logo', title: 'Reposition logo', ratio: 1, width: 512 },
} as const satisfies Record<string, Shape>;

/** An area of a picture, in the picture's own pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  naturalWidth: number;
  naturalHeight: number;
}

/** The position of an area as a share of the free space, in percent: 0 left or top, 100 right or bottom. */
export function positionOf(area: Area, image: Size): { across: number; down: number } {
  const share = (start: number, free: number) => (free > 0 ? Math.round((start / free) * 100) : 50);
  return {
    across: share(area.x, image.naturalWidth - area.width),
    down: share(area.y, image.naturalHeight - area.height),
  };
}

/** The visible area as a picture of the shape's size, never enlarged. */
export async function cutOut(image: HTMLImageElement, area: Area, shape: Shape): Promise<Blob> {
  const width = Math.round(Math.min(shape.width, area.width));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round(width / shape.ratio);
  canvas.getContext('2d')?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  return pictureOf(canvas);
}
