// Leaves out library code that never runs here, because it would be in every visitor's first script.
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** React Router's data routers and framework mode are not used: these replacements make their code unreachable. */
const UNUSED = [
  ['function PrefetchPageLinks({ page, ...linkProps }) {', 'function PrefetchPageLinks() {\n  return null;'],
  ['  let dataRouterState = dataRouterOpts?.state;', '  const dataRouterState = void 0;'],
  ['RenderErrorBoundary.contextType = RSCRouterContext;', ''],
] as const;

export function withoutDataRouter(code: string): string {
  return UNUSED.reduce((lean, [line, instead]) => {
    if (!lean.includes(line)) throw new Error(`React Router has changed, update scripts/lean-libraries.ts: ${line}`);
    return lean.replace(line, instead);
  }, code);
}

/** A component's name for debugging, and a call that could have side effects, would keep the component if unused. */
export const withoutUnusedComponents = (code: string) =>
  code
    .replace(/^\w+\.displayName = [^;\n]+;$/gm, '')
    .replace(/^((?:var|let|const) \w+ = )(?=(\w+\.)?(forwardRef|createContext|memo)\()/gm, '$1/* @__PURE__ */ ');

export const leanLibrariesPlugin = (root: string): Plugin => ({
  name: 'serasi-lean-libraries',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  // React Router's package exports only its development build.
  config: () => ({
    resolve: { alias: { 'react-router': join(root, 'node_modules/react-router/dist/production/index.mjs') } },
  }),
  transform: {
    filter: { id: /node_modules\/.*\.m?js/ },
    handler(code, id) {
      const isRouter = /react-router\/.*chunk/.test(id) && code.includes('function PrefetchPageLinks(');
      return { code: withoutUnusedComponents(isRouter ? withoutDataRouter(code) : code), map: null };
    },
  },
});
