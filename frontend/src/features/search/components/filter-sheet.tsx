// A module of its own, so that a page can do without it until it is asked for.
import { Dialog } from '@/components/ui/dialog';

export default Dialog;
