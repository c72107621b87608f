// Which fields differ from what is saved, in words for the question before leaving.
// Each portal brings the names of its fields; what is nested counts as the field it belongs to.

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
