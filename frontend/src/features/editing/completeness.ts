// The parts of a complete profile. Each portal lists its parts; the meter shows the missing ones and links to them.

export interface Part<Tab extends string> {
  /** What to do, such as 'Write a bio'. */
  todo: string;
  tab: Tab;
  /** A selector of the control that adds it, inside the tab. */
  control: string;
  done: boolean;
}

/** A part that is one field of the form. */
export const fieldPart = <Tab extends string>(todo: string, tab: Tab, name: string, value: string): Part<Tab> => ({
  todo,
  tab,
  control: `[name="${name}"], [data-field="${name}"]`,
  done: value.trim() !== '',
});

/** A part that is a picture, or a list of pictures: the first button of its area adds one. */
export const picturePart = <Tab extends string>(todo: string, tab: Tab, area: string, done: boolean): Part<Tab> => ({
  todo,
  tab,
  control: `fieldset[aria-label="${area}"] button`,
  done,
});
