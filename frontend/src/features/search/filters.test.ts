import { describe, expect, it } from 'vitest';
import { applyFilters, type Filterable, type Filters, isApplied, NO_FILTERS, type Screen } from './filters';
import { FOLLOWER_RANGES } from './options';

/** Records the filters sent to the database. */
class Recorder implements Filterable {
  asked: string[] = [];
  private note(text: string) {
    this.asked.push(text);
    return this;
  }
  eq = (column: string, value: string | boolean) => this.note(`${column}=eq.${value}`);
  gte = (column: string, value: number) => this.note(`${column}=gte.${value}`);
  lte = (column: string, value: number) => this.note(`${column}=lte.${value}`);
  or = (filters: string) => this.note(`or=(${filters})`);
}

/** Returns the recorded filters, without the one that is always present. */
function asked(part: Partial<Filters>, screen: Screen = 'search'): string[] {
  const [approved, ...rest] = applyFilters(new Recorder(), { ...NO_FILTERS, ...part }, screen).asked;
  expect(approved).toBe('approved=eq.true');
  return rest;
}

it('queries only approved profiles without filters', () => {
  for (const screen of ['search', 'influencers', 'explore'] as const) expect(asked({}, screen)).toEqual([]);
});

it('searches name, username and category', () => {
  expect(asked({ q: ' batik ' })).toEqual([
    'or=(name.ilike."%batik%",username.ilike."%batik%",category.ilike."%batik%")',
  ]);
  expect(asked({ q: '  ' })).toEqual([]);
});

it('combines the category row with the industry', () => {
  expect(asked({ category: 'Fashion', industry: 'Beauty' })).toEqual(['category=eq.Fashion', 'category=eq.Beauty']);
});

it('matches part of a location, and language and ethnicity exactly', () => {
  expect(asked({ location: 'kuching', language: 'English', ethnicity: 'Mixed' })).toEqual([
    'or=(location.ilike."%kuching%")',
    'language=eq.English',
    'ethnicity=eq.Mixed',
  ]);
});

it("maps the specification's badge names", () => {
  expect(asked({ badge: 'No Verification' })).toEqual(['badge_type=eq.none']);
  expect(asked({ badge: 'Gold' })).toEqual(['badge_type=eq.gold']);
});

describe('followers', () => {
  it('are compared on the selected platform, at the ends that were moved', () => {
    expect(asked({ platform: 'tiktok', followers: [10_000, 10_000_000] })).toEqual([
      'tiktok_followers_count=gte.10000',
    ]);
    expect(asked({ followers: [0, 500_000] })).toEqual(['instagram_followers_count=lte.500000']);
  });

  it('are not compared without a platform', () => {
    expect(asked({ platform: '', followers: [10_000, 500_000] })).toEqual([]);
  });

  it('are within each selected range, both ends inclusive', () => {
    expect(asked({ instagram: '0-5000', tiktok: '10000000-999999999' }, 'influencers')).toEqual([
      'instagram_followers_count=gte.0',
      'instagram_followers_count=lte.5000',
      'tiktok_followers_count=gte.10000000',
      'tiktok_followers_count=lte.999999999',
    ]);
  });

  it('have the ranges of the specification', () => {
    expect(FOLLOWER_RANGES.map(({ label }) => label).join(', ')).toBe(
      '0-5K, 5K-20K, 20K-100K, 100K-500K, 500K-1M, 1M-5M, 5M-10M, 10M+',
    );
  });
});

describe('a missing age', () => {
  const narrow = { age: [20, 30] } as const;
  const whole = { age: [18, 60] } as const;

  it('is never excluded on /search', () => {
    expect(asked(narrow)).toEqual(['or=(age.is.null,and(age.gte.20,age.lte.30))']);
    expect(asked(whole)).toEqual([]);
  });

  it('is excluded on /search/influencers as soon as a bound differs', () => {
    expect(asked(narrow, 'influencers')).toEqual(['age=gte.20', 'age=lte.30']);
    expect(asked(whole, 'influencers')).toEqual([]);
    expect(asked({ industry: 'Food' }, 'influencers')).toEqual(['category=eq.Food']);
  });

  it('is excluded on /explore once filters are applied', () => {
    expect(asked(whole, 'explore')).toEqual(['age=gte.18', 'age=lte.60']);
    expect(asked({ language: 'English' }, 'explore')).toEqual(['language=eq.English', 'age=gte.18', 'age=lte.60']);
    expect(asked({ q: 'a', category: 'Food' }, 'explore').join()).not.toContain('age');
  });
});

it('does not count the text and the category row as panel filters', () => {
  expect(isApplied({ ...NO_FILTERS, q: 'a', category: 'Food' })).toBe(false);
  expect(isApplied({ ...NO_FILTERS, badge: 'Gold' })).toBe(true);
  expect(isApplied({ ...NO_FILTERS, platform: '' })).toBe(true);
});
