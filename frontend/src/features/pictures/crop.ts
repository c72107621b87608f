// Computes a picture's position in its frame: the dialog draws it, and the canvas crops it. `SHAPES` has an entry for
// each kind of picture that is positioned before it is saved.
import { pictureOf } from './files';

/** The center of the visible area as a share of the free space (0 left/top, 1 right/bottom), and the zoom. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

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

interface Size {
  naturalWidth: number;
  naturalHeight: number;
}

export const centred: Crop = { x: 0.5, y: 0.5, zoom: 1 };

/** The visible area in the picture's own pixels. At zoom 1 it is the largest that fits the frame. */
export function crop({ x, y, zoom }: Crop, image: Size, shape: Shape) {
  const fits = Math.min(image.naturalWidth, image.naturalHeight * shape.ratio) / zoom;
  const [width, height] = [fits, fits / shape.ratio];
  return { x: (image.naturalWidth - width) * x, y: (image.naturalHeight - height) * y, width, height };
}

const between = (value: number) => Math.min(1, Math.max(0, value));

/** Moves by a share of the frame's width; positive values move the picture right and down. */
export function moved(now: Crop, image: Size, shape: Shape, right: number, down: number): Crop {
  const area = crop(now, image, shape);
  const [freeX, freeY] = [image.naturalWidth - area.width, image.naturalHeight - area.height];
  return {
    zoom: now.zoom,
    x: freeX > 0 ? between(now.x - (right * area.width) / freeX) : 0.5,
    y: freeY > 0 ? between(now.y - (down * area.width) / freeY) : 0.5,
  };
}

/** The visible area as a picture of the shape's size, never enlarged. */
export async function cutOut(image: HTMLImageElement, place: Crop, shape: Shape): Promise<Blob> {
  const area = crop(place, image, shape);
  const width = Math.round(Math.min(shape.width, area.width));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round(width / shape.ratio);
  canvas.getContext('2d')?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  return pictureOf(canvas);
}
