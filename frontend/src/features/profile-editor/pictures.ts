// The state of the influencer form's pictures: cover, profile photo and up to eight content photos.
import { createPictures } from '@/features/pictures/store';
import { MAX_PHOTOS } from './choices';

export const usePictures = createPictures(['cover', 'profile'], MAX_PHOTOS);
