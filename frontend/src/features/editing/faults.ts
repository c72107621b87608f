// The first broken rule of a form, which is the only one that is told (specification, section 5).
// `order` is the schema's order, the one in which the fields stand in the tabs.

export interface Fault {
  /** Path of the field, as react-hook-form names it. */
  name: string;
  message: string;
}

/** Depth first. */
export function firstFault(
  errors: object,
  order: readonly string[] = Object.keys(errors),
  prefix = '',
): Fault | undefined {
  for (const name of order) {
    const fault = (errors as Record<string, unknown>)[name];
    if (!fault || typeof fault !== 'object') continue;
    const path = prefix ? `${prefix}.${name}` : name;
    if ('message' in fault && typeof fault.message === 'string') return { name: path, message: fault.message };
    const deeper = firstFault(fault, Object.keys(fault), path);
    if (deeper) return deeper;
  }
  return undefined;
}
