// Collects the licenses of the installed packages: `virtual:licences`, used by the Licenses page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface LicensedPackage {
  name: string;
  version: string;
  /** The copyright line of its license file. */
  holder: string;
}

export interface Licence {
  name: string;
  /** The license text, shown once for all its packages. */
  text: string;
  packages: LicensedPackage[];
}

interface Lock {
  packages: Record<
    string,
    { version?: string; license?: string; dev?: boolean; devOptional?: boolean; optional?: boolean; peer?: boolean }
  >;
}

const COPYRIGHT = /^\s*copyright (?!notice|owner|holder|license)(.+)$/im;

function licenceFile(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '';
}

/** Packages that are shipped to the browser, grouped by license, the most used license first. */
export function licences(root: string): Licence[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const byName = new Map<string, Licence>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path || entry.dev || entry.devOptional || entry.optional || entry.peer) continue;
    const text = licenceFile(join(root, path));
    const name = entry.license ?? 'See its license file';
    const licence = byName.get(name) ?? { name, text: '', packages: [] };
    licence.text ||= text.replace(COPYRIGHT, '').trim();
    licence.packages.push({
      name: path.replace(/^.*node_modules\//, ''),
      version: entry.version ?? '',
      holder: COPYRIGHT.exec(text)?.[0].trim() ?? '',
    });
    byName.set(name, licence);
  }
  return [...byName.values()].sort((one, other) => other.packages.length - one.packages.length);
}

const ID = 'virtual:licences';

export function licencesPlugin(root: string): Plugin {
  return {
    name: 'serasi-licences',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(licences(root))}` : undefined),
  };
}
