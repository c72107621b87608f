import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { Controller, type FieldPath, get, useFormContext } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { ProfileForm } from '../schema';

type Name = FieldPath<ProfileForm>;

interface Common {
  name: Name;
  label: string;
  required?: boolean;
  hint?: string;
}

function useField(name: Name) {
  const form = useFormContext<ProfileForm>();
  const fault = get(form.formState.errors, name) as { message?: string } | undefined;
  return { ...form, fault: fault?.message };
}

export function TextField(
  props: Common & { icon?: LucideIcon; placeholder?: string; type?: string; autoComplete?: string },
) {
  const id = useId();
  const { register, fault } = useField(props.name);
  return (
    <Field id={id} label={props.label} required={props.required} hint={props.hint} error={fault}>
      <Input
        id={id}
        icon={props.icon}
        type={props.type ?? 'text'}
        placeholder={props.placeholder}
        autoComplete={props.autoComplete ?? 'off'}
        required={props.required}
        invalid={Boolean(fault)}
        {...register(props.name)}
      />
    </Field>
  );
}

export function TextareaField(props: Common & { rows: number; most?: number; placeholder?: string }) {
  const id = useId();
  const { register, watch, fault } = useField(props.name);
  const text = watch(props.name);
  const counter = props.most && typeof text === 'string' ? `${text.length} / ${props.most}` : undefined;
  return (
    <Field id={id} label={props.label} required={props.required} hint={props.hint} error={fault} counter={counter}>
      <Textarea
        id={id}
        rows={props.rows}
        placeholder={props.placeholder}
        invalid={Boolean(fault)}
        {...register(props.name)}
      />
    </Field>
  );
}

export function SelectField(props: Common & { options: readonly string[]; placeholder: string }) {
  const id = useId();
  const { control, fault } = useField(props.name);
  // What was stored under an older list stays choosable.
  return (
    <Controller
      control={control}
      name={props.name}
      render={({ field }) => {
        const value = String(field.value ?? '');
        const options = value && !props.options.includes(value) ? [...props.options, value] : props.options;
        return (
          <Field id={id} label={props.label} required={props.required} hint={props.hint} error={fault}>
            <Select
              id={id}
              value={value}
              placeholder={props.placeholder}
              invalid={Boolean(fault)}
              options={options.map((option) => ({ value: option, label: option }))}
              onChange={field.onChange}
              onBlur={field.onBlur}
            />
          </Field>
        );
      }}
    />
  );
}
