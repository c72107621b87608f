/** The parts of Radix's slider. The track reaches half a thumb further, so that the thumbs end at its ends. */
export const slider = {
  root: 'relative mx-3 flex h-9 touch-none items-center select-none data-disabled:opacity-45',
  track: 'relative -mx-3 h-1 flex-1 rounded-[4px] bg-input/45',
  range: 'absolute h-full rounded-[4px] bg-primary',
  thumb:
    'block size-6 cursor-grab rounded-full bg-card shadow-sm inset-ring-3 inset-ring-primary data-disabled:cursor-default',
};
