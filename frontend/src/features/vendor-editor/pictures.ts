// The vendor's one picture while the form is edited.
import { createPictures } from '@/features/pictures/store';

export const useVendorPictures = createPictures(['logo']);
