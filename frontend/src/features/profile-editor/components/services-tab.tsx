import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { toast } from 'sonner';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
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
        <h2>Services</h2>
        <p className="sub">List what you offer. Price is optional.</p>
      </div>
      {fields.length > 0 ? (
        <ul ref={list} className="stack" style={{ gap: 12 }}>
          {fields.map((service, index) => (
            <li key={service.id} className="row box" style={{ alignItems: 'flex-start', gap: 14 }}>
              <span className="d-only service-tile" aria-hidden="true">
                <UbinPattern seed={service.title} columns={1} rows={1} />
              </span>
              <div className="grow">
                <h3 style={{ fontSize: 18 }}>{service.title}</h3>
                <p className="sm muted" style={{ marginTop: 2 }}>
                  {service.description}
                </p>
                <p className="num" style={{ fontWeight: 700, marginTop: 6 }}>
                  {service.price || <span className="muted">No price set</span>}
                </p>
              </div>
              <button
                type="button"
                className="ib s remove"
                aria-label={`Remove service ${service.title}`}
                onClick={() => removeWithUndo(index)}
              >
                <Trash2 className="i i18" aria-hidden="true" />
              </button>
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
    <div className="add-box stack">
      <h3 style={{ fontSize: 18 }}>Add a service</h3>
      <div className="cols2">
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
        <Button variant="soft" disabled={!ready} onClick={add}>
          <Plus className="i" aria-hidden="true" />
          Add service
        </Button>
        {ready ? null : (
          <p className="hint" style={{ marginTop: 8 }}>
            Title and description are both needed before you can add it.
          </p>
        )}
      </div>
    </div>
  );
}
