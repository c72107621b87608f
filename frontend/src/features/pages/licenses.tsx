import licenses from 'virtual:licenses';
import type { License, LicensedPackage } from '../../../scripts/licenses';
import type { Section } from './components/text-page';

export const LICENSES: Section[] = [
  {
    id: 'serasi',
    title: 'Serasi',
    content: <p>Serasi is licensed under the MIT license.</p>,
  },
  ...licenses.map((license) => ({
    id: license.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    title: license.name === 'OFL-1.1' ? 'OFL-1.1 (fonts)' : license.name,
    content: <LicenseText license={license} />,
  })),
  {
    id: 'server',
    title: 'The server',
    content: (
      <p>
        The server is written in Rust and keeps its data in PostgreSQL, which is under the PostgreSQL license. Its
        libraries are listed, with their versions, in the file <code>Cargo.lock</code> of its source code; each has its
        own license.
      </p>
    ),
  },
];

function LicenseText({ license }: { license: License }) {
  return (
    <>
      <ul>
        {byHolder(license.packages).map(([holder, packages]) => (
          <li key={holder}>
            {packages.map(({ name, version }) => `${name} ${version}`).join(', ')}
            {holder ? <span className="block text-muted-foreground text-sm">{holder}</span> : null}
          </li>
        ))}
      </ul>
      <details>
        <summary>{license.name} license text</summary>
        <pre>{license.text}</pre>
      </details>
    </>
  );
}

function byHolder(packages: LicensedPackage[]): [holder: string, packages: LicensedPackage[]][] {
  const groups = new Map<string, LicensedPackage[]>();
  for (const one of packages) groups.set(one.holder, [...(groups.get(one.holder) ?? []), one]);
  return [...groups];
}
