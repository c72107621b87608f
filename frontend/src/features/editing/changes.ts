// Lists the changed fields by name, for the dialog about unsaved changes. Each portal supplies its field names; nested
// values count as their top-level field.

export function isDirty(value: unknown): boolean {
  if (value === true) return true;
  if (!value || typeof value !== 'object') return false;
  return Object.values(value).some(isDirty);
}

export function changedFields(names: Record<string, string>, dirty: object, picturesChanged: boolean): string[] {
  const fields = Object.entries(dirty)
    .filter(([, value]) => isDirty(value))
    .map(([name]) => names[name] ?? name);
  return picturesChanged ? [...fields, 'Pictures'] : fields;
}
