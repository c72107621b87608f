/** The name of a deleted account or profile, in what it leaves behind for others. */
export const FORMER_MEMBER = 'Former member';
