// Finds a form's first error, the only one that is shown (specification, section 5). `order` is the schema's field
// order, which is also the order in the tabs.

export interface Fault {
  /** The field's path in react-hook-form's notation. */
  name: string;
  message: string;
}

/** Searches depth first. */
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
