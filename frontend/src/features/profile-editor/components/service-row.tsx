// One service of the list: shown, or edited in place. Its handle moves it, with the pointer or the keyboard.
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { clsx } from 'clsx';
import { GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type Ref, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { TextareaField, TextField } from '../fields';
import { canAdd, type ProfileForm, type Service } from '../schema';

export function ServiceRow(props: { id: string; index: number; service: Service; onRemove: () => void }) {
  const { index, service } = props;
  const { setValue, setFocus, formState, clearErrors } = useFormContext<ProfileForm>();
  /** The service as it was when editing started. */
  const [before, setBefore] = useState<Service>();
  const sortable = useSortable({ id: props.id });
  const style = { transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition };
  const isEditing = before !== undefined || formState.errors.services?.[index] !== undefined;
  const name = service.title || 'without a title';

  function edit() {
    // The form changes its own objects.
    setBefore({ ...service });
    requestAnimationFrame(() => setFocus(`services.${index}.title`));
  }
  function stop() {
    clearErrors(`services.${index}`);
    setBefore(undefined);
    // The pressed button is gone.
    requestAnimationFrame(() => document.getElementById(`edit-${props.id}`)?.focus());
  }
  function cancel() {
    if (before) setValue(`services.${index}`, before, { shouldDirty: true });
    stop();
  }
  return (
    <li
      ref={sortable.setNodeRef}
      className={clsx(
        'inset-ring-[1.5px] inset-ring-border flex items-start gap-3.5 rounded-lg bg-card px-4.5 py-4',
        sortable.isDragging && 'relative z-2 shadow-lg',
      )}
      style={style}
    >
      {isEditing ? (
        <ServiceFields index={index} canStop={canAdd(service)} onDone={stop} onCancel={cancel} />
      ) : (
        <>
          <Handle name={name} sortable={sortable} />
          <span className="size-11 flex-none overflow-hidden rounded-[11px] max-lg:hidden" aria-hidden="true">
            <UbinPattern seed={service.title} columns={1} rows={1} />
          </span>
          <div className="wrap-anywhere min-w-0 flex-1">
            <h3 className="text-[18px]">{service.title}</h3>
            <p className="mt-0.5 text-muted-foreground text-sm">{service.description}</p>
            <p className="mt-1.5 font-bold tabular-nums">
              {service.price || <span className="text-muted-foreground">No price set</span>}
            </p>
          </div>
          <div className="flex flex-none max-sm:flex-col">
            <IconButton id={`edit-${props.id}`} size="small" aria-label={`Edit service ${name}`} onClick={edit}>
              <Pencil className="size-4.5" aria-hidden="true" />
            </IconButton>
            <IconButton
              size="small"
              variant="danger"
              data-remove
              aria-label={`Remove service ${name}`}
              onClick={props.onRemove}
            >
              <Trash2 className="size-4.5" aria-hidden="true" />
            </IconButton>
          </div>
        </>
      )}
    </li>
  );
}

function Handle({ name, sortable }: { name: string; sortable: ReturnType<typeof useSortable> }) {
  const ref: Ref<HTMLButtonElement> = sortable.setActivatorNodeRef;
  return (
    <IconButton
      ref={ref}
      size="small"
      className="-ml-2 cursor-grab touch-none"
      {...sortable.attributes}
      {...sortable.listeners}
      aria-label={`Move service ${name}`}
    >
      <GripVertical className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}

/** The fields belong to the form, so unfinished edits survive a reload like everything else. */
function ServiceFields(props: { index: number; canStop: boolean; onDone: () => void; onCancel: () => void }) {
  const path = `services.${props.index}` as const;
  return (
    <div className="grid min-w-0 flex-1 gap-4">
      <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
        <TextField name={`${path}.title`} label="Title" required maxLength={100} />
        <TextField name={`${path}.price`} label="Price" placeholder="e.g. RM 800" maxLength={50} />
      </div>
      <TextareaField name={`${path}.description`} label="Description" required rows={2} maxLength={1000} />
      <div className="flex gap-2">
        <Button size="small" disabled={!props.canStop} onClick={props.onDone}>
          Done
        </Button>
        <Button size="small" variant="ghost" onClick={props.onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
