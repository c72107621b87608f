// A separate module, so that the dialog is loaded on demand.
import { Dialog } from '@/components/ui/dialog';

export default Dialog;
