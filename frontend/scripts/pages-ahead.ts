// Writes /pages-ahead.json: the files of the pages that a visitor is likely to open next, likeliest first. Excludes
// files that the first page has already loaded, and the sign-in pages and dashboards, which are large and which few
// visitors open.
import type { Plugin, Rollup } from 'vite';

const LIKELY = [
  'search',
  'profile',
  'search-influencers',
  'search-agencies',
  'agency',
  'search-vendors',
  'gigs',
  'pricing',
  'explore',
  'favorites',
  'help-center',
  'about-us',
];

export const pagesAheadPlugin = (): Plugin => ({
  name: 'serasi-pages-ahead',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = filesOf(
        bundle,
        chunks.filter(({ isEntry }) => isEntry),
      );
      const likely = LIKELY.map((page) => {
        const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/app/routes/${page}.tsx`));
        if (!found) throw new Error(`${page} is not a lazily loaded page`);
        return found;
      });
      const files = [...filesOf(bundle, likely)].filter((file) => !first.has(file)).map((file) => `/${file}`);
      this.emitFile({ type: 'asset', fileName: 'pages-ahead.json', source: JSON.stringify(files) });
    },
  },
});

/** Returns the chunks' files and those of their imports, in loading order. */
function filesOf(bundle: Rollup.OutputBundle, chunks: Rollup.OutputChunk[], files = new Set<string>()): Set<string> {
  for (const { fileName, imports, viteMetadata } of chunks) {
    if (files.has(fileName)) continue;
    files.add(fileName);
    for (const style of viteMetadata?.importedCss ?? []) files.add(style);
    const imported = imports.map((name) => bundle[name]).filter((file) => file?.type === 'chunk');
    filesOf(bundle, imported, files);
  }
  return files;
}
