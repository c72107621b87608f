// The fixed lists of the influencer's form (specification, section 9).

export const RELIGIONS = [
  'Christianity',
  'Islam',
  'Hinduism',
  'Buddhism',
  'Judaism',
  'Sikhism',
  'Atheism',
  'Agnosticism',
  'Other',
  'Prefer not to say',
] as const;

export const PAYMENT_METHODS = [
  { value: 'bank', label: 'Bank Transfer' },
  { value: 'paypal', label: 'PayPal' },
  { value: 'both', label: 'Both' },
] as const;

export const MAX_PHOTOS = 8;
export const MAX_BIO = 500;
export const EARLIEST_BIRTH = new Date(1900, 0, 1);
