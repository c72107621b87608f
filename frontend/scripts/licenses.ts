// Collects the licenses of the installed packages: `virtual:licenses`, used by the Licenses page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface LicensedPackage {
  name: string;
  version: string;
  /** The copyright line of its license file. */
  holder: string;
}

export interface License {
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

function licenseFile(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '';
}

/** Packages that are shipped to the browser, grouped by license, the most used license first. */
export function licenses(root: string): License[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const byName = new Map<string, License>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path || entry.dev || entry.devOptional || entry.optional || entry.peer) continue;
    const text = licenseFile(join(root, path));
    const name = entry.license ?? 'See its license file';
    const license = byName.get(name) ?? { name, text: '', packages: [] };
    license.text ||= text.replace(COPYRIGHT, '').trim();
    license.packages.push({
      name: path.replace(/^.*node_modules\//, ''),
      version: entry.version ?? '',
      holder: COPYRIGHT.exec(text)?.[0].trim() ?? '',
    });
    byName.set(name, license);
  }
  return [...byName.values()].sort((one, other) => other.packages.length - one.packages.length);
}

const ID = 'virtual:licenses';

export function licensesPlugin(root: string): Plugin {
  return {
    name: 'serasi-licenses',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(licenses(root))}` : undefined),
  };
}
