// The screens that list agencies and vendors.

import fc from 'fast-check';
import { applyBusinessFilters, type BusinessFilters } from '../../frontend/src/lib/business-filters';
import { choice, compare, seldom, test, typedText } from './compare';
import { visitorClient, wholeList } from './gateway';
import { type BusinessRow, businessFits } from './reference';

for (const [table, types] of [
  ['agencies', ['Marketing', 'PR', 'Talent Search']],
  ['vendors', ['Equipment', 'Services', 'Catering', 'Production', 'Technical']],
] as const) {
  test(`/search/${table} finds what the specification's filter finds`, async () => {
    await compare<BusinessRow, BusinessFilters>(await visitorClient(), {
      table,
      filters: (rows) =>
        fc.record({
          q: seldom(typedText(rows.flatMap((row) => [row.name, row.company_name, row.description])), ''),
          type: choice(...types),
          location: seldom(typedText(rows.map(({ location }) => location)), ''),
        }),
      asked: (client, filters) => wholeList(client, table, (query) => applyBusinessFilters(query, filters)),
      fits: businessFits,
    });
  });
}
