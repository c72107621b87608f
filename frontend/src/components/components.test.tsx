import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { type CardInfluencer, InfluencerCard } from './influencer-card';
import { VerificationBadge } from './verification-badge';

const sofea: CardInfluencer = {
  id: '7',
  name: 'Sofea Karim',
  username: 'sofea.styled',
  category: 'Fashion',
  bio: null,
  location: 'Shah Alam',
  profile_image: null,
  badge_type: 'gold',
  instagram_followers: '240K',
  tiktok_followers: null,
  youtube_followers: '18K',
  twitter_followers: '9K',
};

it('a card shows name, category, location and follower counts, and has one link', () => {
  render(<InfluencerCard influencer={sofea} />, { wrapper: MemoryRouter });
  expect(screen.getByRole('link', { name: 'Sofea Karim' })).toHaveAttribute('href', '/profile/7');
  expect(screen.getAllByRole('link')).toHaveLength(1);
  expect(screen.getByText('@sofea.styled · Shah Alam')).toBeInTheDocument();
  expect(screen.getByRole('img', { name: 'gold badge' })).toBeInTheDocument();
  expect(screen.getByTitle('Instagram')).toHaveTextContent('240K');
  expect(screen.queryByTitle('TikTok')).toBeNull();
  expect(screen.getByRole('button', { name: 'Share Sofea Karim' })).toBeInTheDocument();
});

it('a card shows all four counts', () => {
  render(<InfluencerCard influencer={{ ...sofea, tiktok_followers: '96K' }} />, { wrapper: MemoryRouter });
  const counts = ['Instagram', 'TikTok', 'YouTube', 'Twitter'].map((name) => screen.getByTitle(name).textContent);
  expect(counts).toEqual(['Instagram240K', 'TikTok96K', 'YouTube18K', 'Twitter9K']);
  expect(screen.queryByText('0 followers')).toBeNull();
});

it.each([null, '', ' '])('a card whose counts are all %j shows 0 followers', (none) => {
  const counts = {
    instagram_followers: none,
    tiktok_followers: none,
    youtube_followers: none,
    twitter_followers: none,
  };
  render(<InfluencerCard influencer={{ ...sofea, ...counts }} />, { wrapper: MemoryRouter });
  expect(screen.getByText('0 followers')).toBeInTheDocument();
  expect(screen.queryByTitle('Instagram')).toBeNull();
});

it("a card without a picture shows the name's first letter", () => {
  render(<InfluencerCard influencer={sofea} />, { wrapper: MemoryRouter });
  expect(screen.getByText('S')).toBeInTheDocument();
});

it.each([
  ['platinum', 'platinum badge'],
  ['something new', 'blue badge'],
])('badge type %s renders the %s', (type, name) => {
  render(<VerificationBadge type={type} />);
  expect(screen.getByRole('img', { name })).toBeInTheDocument();
});

it('badge type none renders nothing', () => {
  const { container } = render(<VerificationBadge type="none" />);
  expect(container).toBeEmptyDOMElement();
});
