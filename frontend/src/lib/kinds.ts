// The categories and types of influencers, agencies and vendors. The database rejects others.

export const CATEGORIES = ['Fashion', 'Tech', 'Gaming', 'Lifestyle', 'Beauty', 'Travel'] as const;
export const AGENCY_TYPES = ['Marketing', 'PR', 'Talent Search'] as const;
export const VENDOR_TYPES = ['Equipment', 'Services', 'Catering', 'Production', 'Technical'] as const;
