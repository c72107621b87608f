import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutDataRouter, withoutUnusedComponents } from './lean-libraries';

it('lets a component be left out that has a name for debugging', () => {
  const code = 'var Form = React.forwardRef(\n  render\n);\nForm.displayName = "Form";\nconst c = createContext(1);\n';
  expect(withoutUnusedComponents(code)).toBe(
    'var Form = /* @__PURE__ */ React.forwardRef(\n  render\n);\n\nconst c = /* @__PURE__ */ createContext(1);\n',
  );
});

it('finds the installed React Router as it expects it, and refuses another', () => {
  const folder = join(import.meta.dirname, '../node_modules/react-router/dist/production');
  const code = readdirSync(folder)
    .filter((name) => name.startsWith('chunk-') && name.endsWith('.mjs'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .find((text) => text.includes('function PrefetchPageLinks('));
  expect(withoutDataRouter(code ?? '')).toContain('function PrefetchPageLinks() {\n  return null;');
  expect(() => withoutDataRouter('')).toThrow('React Router has changed');
});
