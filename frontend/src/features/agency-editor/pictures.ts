// The state of the agency form's pictures: banner, logo and the eight gallery places.
import { createPictures } from '@/features/pictures/store';
import { GALLERY_PLACES } from './schema';

export const useAgencyPictures = createPictures(['banner', 'logo'], GALLERY_PLACES);
