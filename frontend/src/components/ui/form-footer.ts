/** The row of buttons at the lower edge of a card with a form. It stays in view; on phones the buttons share its width. */
export const formFooter =
  'sticky bottom-0 flex items-center justify-end gap-3 rounded-b-xl border-t border-border bg-card px-6 py-4 max-sm:px-4 max-sm:py-3 max-sm:[&>:is(a,button)]:flex-1';
