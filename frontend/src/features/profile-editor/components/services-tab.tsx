import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { toast } from 'sonner';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { canAdd, type ProfileForm, type Service } from '../schema';

const EMPTY: Service = { title: '', description: '', price: '' };

export function ServicesTab() {
  const { control } = useFormContext<ProfileForm>();
  const { fields, append, remove, insert } = useFieldArray({ control, name: 'services' });

  function removeWithUndo(index: number) {
    const gone = fields[index];
    remove(index);
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
        <ul className="stack" style={{ gap: 12 }}>
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

function AddService({ onAdd }: { onAdd: (service: Service) => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const [title, price, description] = [useId(), useId(), useId()];
  const change = (part: Partial<Service>) => setDraft((now) => ({ ...now, ...part }));
  const ready = canAdd(draft);
  function add() {
    onAdd({ title: draft.title.trim(), description: draft.description.trim(), price: draft.price.trim() });
    setDraft(EMPTY);
  }
  return (
    <div className="add-box stack">
      <h3 style={{ fontSize: 18 }}>Add a service</h3>
      <div className="cols2">
        <Field id={title} label="Title" required>
          <Input id={title} value={draft.title} onChange={(event) => change({ title: event.target.value })} />
        </Field>
        <Field id={price} label="Price">
          <Input
            id={price}
            placeholder="e.g. RM 800"
            value={draft.price}
            onChange={(event) => change({ price: event.target.value })}
          />
        </Field>
      </div>
      <Field id={description} label="Description" required>
        <Textarea
          id={description}
          rows={2}
          placeholder="What the brand receives, and by when"
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
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
