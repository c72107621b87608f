import { describe, expect, it } from 'vitest';
import {
  applyFilters,
  chipsOf,
  type Filterable,
  type Filters,
  filtersFrom,
  likePattern,
  NO_FILTERS,
  paramsFrom,
  quoted,
} from './filters';

/** Writes down what the database would be asked. */
class Recorder implements Filterable<Recorder> {
  asked: string[] = [];
  private note(text: string) {
    this.asked.push(text);
    return this;
  }
  eq = (column: string, value: string | boolean) => this.note(`${column}=eq.${value}`);
  gte = (column: string, value: number) => this.note(`${column}=gte.${value}`);
  lte = (column: string, value: number) => this.note(`${column}=lte.${value}`);
  ilike = (column: string, pattern: string) => this.note(`${column}=ilike.${pattern}`);
  or = (filters: string) => this.note(`or=(${filters})`);
}

const asked = (part: Partial<Filters>) => applyFilters(new Recorder(), { ...NO_FILTERS, ...part }).asked;

describe('the address', () => {
  it('is empty without filters', () => {
    expect(paramsFrom(NO_FILTERS).toString()).toBe('');
    expect(filtersFrom(new URLSearchParams())).toEqual(NO_FILTERS);
  });

  it('holds every filter and gives it back', () => {
    const filters: Filters = {
      q: 'a & b, "c"',
      industry: 'Food',
      platform: 'tiktok',
      followers: [10_000, 5_000_000],
      age: [20, 40],
      location: 'Kuching',
      language: 'English',
      ethnicity: 'Mixed',
      badge: 'No Verification',
    };
    expect(filtersFrom(new URLSearchParams(paramsFrom(filters).toString()))).toEqual(filters);
  });

  it('that makes no sense counts as not filtered', () => {
    const params = new URLSearchParams('platform=myspace&age=60-18&followers=lots');
    expect(filtersFrom(params)).toEqual(NO_FILTERS);
    expect(filtersFrom(new URLSearchParams('age=1-999')).age).toEqual([18, 60]);
  });
});

describe('what the database is asked', () => {
  it('always keeps to approved profiles, and asks nothing else without filters', () => {
    expect(asked({})).toEqual(['approved=eq.true']);
  });

  it('looks for the text in name, username and category', () => {
    expect(asked({ q: ' batik ' })[1]).toBe(
      'or=(name.ilike."%batik%",username.ilike."%batik%",category.ilike."%batik%")',
    );
  });

  it('takes typed wildcards and quotes as they are', () => {
    expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%');
    expect(quoted('a"b\\c,(d)')).toBe('"a\\"b\\\\c,(d)"');
  });

  it('compares followers of the chosen platform only where the range was narrowed', () => {
    expect(asked({ platform: 'tiktok', followers: [10_000, 10_000_000] })).toContain(
      'tiktok_followers_count=gte.10000',
    );
    expect(asked({ followers: [0, 500_000] })).toEqual(['approved=eq.true', 'instagram_followers_count=lte.500000']);
  });

  it('never leaves out a profile without an age', () => {
    expect(asked({ age: [20, 30] })).toContain('or=(age.is.null,and(age.gte.20,age.lte.30))');
    expect(asked({ age: [18, 60] })).toEqual(['approved=eq.true']);
  });

  it('reads the badges as the specification names them', () => {
    expect(asked({ badge: 'No Verification' })).toContain('badge_type=eq.none');
    expect(asked({ badge: 'Gold' })).toContain('badge_type=eq.gold');
  });

  it('takes a location as a part, language and ethnicity as they are', () => {
    expect(asked({ location: 'kuching', language: 'English', ethnicity: 'Mixed', industry: 'Food' })).toEqual([
      'approved=eq.true',
      'category=eq.Food',
      'location=ilike.%kuching%',
      'language=eq.English',
      'ethnicity=eq.Mixed',
    ]);
  });
});

it('shows a chip for each applied filter, but not for the text', () => {
  expect(
    chipsOf({ ...NO_FILTERS, q: 'x', followers: [10_000, 10_000_000], badge: 'Gold' }).map((chip) => chip.label),
  ).toEqual(['10K+ on Instagram', 'Gold badge']);
});
