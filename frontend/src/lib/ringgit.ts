/** For example 'RM 1,500'. */
export const ringgit = (amount: number): string => `RM ${amount.toLocaleString('en')}`;
