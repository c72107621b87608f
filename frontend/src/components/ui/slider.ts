/** The parts of Radix's slider. Radix keeps the thumbs within the track, so that they end at its ends. */
export const slider = {
  root: 'relative flex h-9 touch-none items-center select-none data-disabled:opacity-45',
  track: 'relative h-1 flex-1 rounded-[4px] bg-input/45',
  range: 'absolute h-full rounded-[4px] bg-primary',
  thumb:
    'block size-6 cursor-grab rounded-full bg-card shadow-sm inset-ring-3 inset-ring-primary data-disabled:cursor-default',
};
