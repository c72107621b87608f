import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { toast } from '@/lib/toast';
import { TextareaField, TextField } from '../fields';
import { canAdd, type ProfileForm, type Service } from '../schema';
import { ServiceRow } from './service-row';

const EMPTY: Service = { title: '', description: '', price: '' };

export function ServicesTab() {
  const { control, setFocus, watch, getValues } = useFormContext<ProfileForm>();
  const list = useRef<HTMLUListElement>(null);
  const { fields, append, remove, insert, move } = useFieldArray({ control, name: 'services' });
  const services = watch('services');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: UniqueIdentifier) => fields.findIndex((field) => field.id === id);

  function onDragEnd({ active, over }: DragEndEvent) {
    if (over && over.id !== active.id) move(placeOf(active.id), placeOf(over.id));
  }

  function removeWithUndo(index: number) {
    const gone = getValues(`services.${index}`);
    remove(index);
    // The focused button is gone, so focus the next one.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>('[data-remove]');
      left?.[Math.min(index, left.length - 1)]?.focus();
      if (!left?.length) setFocus('service_draft.title');
    });
    if (!gone) return;
    toast(`${gone.title} removed`, { action: { label: 'Undo', onClick: () => insert(index, gone) } });
  }
  return (
    <>
      <div>
        <h2 className="text-[24px]">Services</h2>
        <p className="mt-1 text-muted-foreground">List what you offer, the most important first. Price is optional.</p>
      </div>
      {fields.length > 0 ? (
        <DndContext
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragEnd={onDragEnd}
          accessibility={{ announcements: announcements((id) => services[placeOf(id)]?.title ?? '', placeOf) }}
        >
          <SortableContext items={fields.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
            <ul ref={list} className="grid gap-3">
              {fields.map(({ id }, index) => (
                <ServiceRow
                  key={id}
                  id={id}
                  index={index}
                  service={services[index] ?? EMPTY}
                  onRemove={() => removeWithUndo(index)}
                />
              ))}
            </ul>
          </SortableContext>
        </DndContext>
      ) : null}
      <AddService onAdd={append} />
    </>
  );
}

/** What screen readers say while a service is moved. */
function announcements(
  titleOf: (id: UniqueIdentifier) => string,
  placeOf: (id: UniqueIdentifier) => number,
): Announcements {
  const at = (id: UniqueIdentifier, over: UniqueIdentifier) => `Moving ${titleOf(id)}: position ${placeOf(over) + 1}.`;
  return {
    onDragStart: ({ active }) => at(active.id, active.id),
    onDragOver: ({ active, over }) => (over ? at(active.id, over.id) : undefined),
    onDragEnd: ({ active, over }) =>
      over ? `${titleOf(active.id)} is now at position ${placeOf(over.id) + 1}.` : undefined,
    onDragCancel: ({ active }) => `${titleOf(active.id)} was not moved.`,
  };
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
