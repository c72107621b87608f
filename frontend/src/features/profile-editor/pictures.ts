// The influencer's pictures while the form is edited: cover, profile photo and up to eight of their work.
import { createPictures } from '@/features/pictures/store';
import { MAX_PHOTOS } from './choices';

export const usePictures = createPictures(['cover', 'profile'], MAX_PHOTOS);
