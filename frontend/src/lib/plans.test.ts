import { expect, it } from 'vitest';
import { AUDIENCES, shownPrice } from './plans';

it('has the yearly prices of the specification', () => {
  const prices = AUDIENCES.map(({ title, plans }) => [
    title,
    plans.map(({ name, price }) => [name, shownPrice(price)]),
  ]);
  expect(prices).toEqual([
    [
      'Influencers',
      [
        ['Blue', '200'],
        ['Gold', '400'],
        ['Platinum', '800'],
      ],
    ],
    [
      'Agencies',
      [
        ['Blue', '200'],
        ['Gold', '1,000'],
        ['Platinum', '2,500'],
      ],
    ],
    ['Vendors', [['Blue', '200']]],
  ]);
});

it('has the same number of rows on every card of a user type, so that the cards line up', () => {
  for (const { plans } of AUDIENCES) {
    expect(new Set(plans.map((plan) => plan.features.length)).size).toBe(1);
  }
});

it('strips the minus from features that a plan lacks', () => {
  const blue = AUDIENCES[0].plans[0];
  expect(blue?.features).toContainEqual({ text: 'Verified badge', included: false });
  expect(blue?.features).toContainEqual({ text: 'Basic listing', included: true });
});
