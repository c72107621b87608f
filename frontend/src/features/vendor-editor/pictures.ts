// The state of the vendor form's only picture, the logo.
import { createPictures } from '@/features/pictures/store';

export const useVendorPictures = createPictures(['logo']);
