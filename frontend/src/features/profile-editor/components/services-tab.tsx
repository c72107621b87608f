import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/lib/toast';
import { TextareaField, TextField } from '../fields';
import { canAdd, type ProfileForm, type Service } from '../schema';

const EMPTY: Service = { title: '', description: '', price: '' };

export function ServicesTab() {
  const { control, setFocus } = useFormContext<ProfileForm>();
  const list = useRef<HTMLUListElement>(null);
  const { fields, append, remove, insert } = useFieldArray({ control, name: 'services' });

  function removeWithUndo(index: number) {
    const gone = fields[index];
    remove(index);
    // The focused button is gone, so focus the next one.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll('button');
      left?.[Math.min(index, left.length - 1)]?.focus();
      if (!left?.length) setFocus('service_draft.title');
    });
    if (!gone) return;
    const { title, description, price } = gone;
    toast(`${title} removed`, {
      action: { label: 'Undo', onClick: () => insert(index, { title, description, price }) },
    });
  }
  return (
    <>
      <div>
        <h2 className="text-[24px]">Services</h2>
        <p className="mt-1 text-muted-foreground">List what you offer. Price is optional.</p>
      </div>
      {fields.length > 0 ? (
        <ul ref={list} className="grid gap-3">
          {fields.map((service, index) => (
            <li
              key={service.id}
              className="inset-ring-[1.5px] inset-ring-border flex items-start gap-3.5 rounded-lg px-4.5 py-4"
            >
              <span className="size-11 flex-none overflow-hidden rounded-[11px] max-lg:hidden" aria-hidden="true">
                <UbinPattern seed={service.title} columns={1} rows={1} />
              </span>
              <div className="min-w-0 flex-1">
                <h3 className="text-[18px]">{service.title}</h3>
                <p className="mt-0.5 text-muted-foreground text-sm">{service.description}</p>
                <p className="mt-1.5 font-bold tabular-nums">
                  {service.price || <span className="text-muted-foreground">No price set</span>}
                </p>
              </div>
              <IconButton
                size="small"
                variant="danger"
                aria-label={`Remove service ${service.title}`}
                onClick={() => removeWithUndo(index)}
              >
                <Trash2 className="size-4.5" aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <AddService onAdd={append} />
    </>
  );
}

/** The draft is part of the form, so it survives tab changes, a reload and the end of the session. */
function AddService({ onAdd }: { onAdd: (service: Service) => void }) {
  const { watch, setValue, setFocus, clearErrors } = useFormContext<ProfileForm>();
  const draft = watch('service_draft');
  const ready = canAdd(draft);
  function add() {
    onAdd({ title: draft.title.trim(), description: draft.description.trim(), price: draft.price.trim() });
    setValue('service_draft', EMPTY, { shouldDirty: true });
    clearErrors('service_draft');
    setFocus('service_draft.title');
  }
  return (
    <div className="grid gap-4 rounded-lg bg-muted p-4.5">
      <h3 className="text-[18px]">Add a service</h3>
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <TextField name="service_draft.title" label="Title" required maxLength={100} />
        <TextField name="service_draft.price" label="Price" placeholder="e.g. RM 800" maxLength={50} />
      </div>
      <TextareaField
        name="service_draft.description"
        label="Description"
        required
        rows={2}
        maxLength={1000}
        placeholder="What the brand receives, and by when"
      />
      <div>
        <Button variant="card" disabled={!ready} onClick={add}>
          <Plus aria-hidden="true" />
          Add service
        </Button>
        {ready ? null : (
          <p className="mt-2 text-muted-foreground text-xs">Enter a title and a description to add the service.</p>
        )}
      </div>
    </div>
  );
}
