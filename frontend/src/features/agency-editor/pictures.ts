// The agency's pictures while the form is edited: banner, logo and the eight places of the gallery.
import { createPictures } from '@/features/pictures/store';
import { GALLERY_PLACES } from './schema';

export const useAgencyPictures = createPictures(['banner', 'logo'], GALLERY_PLACES);
