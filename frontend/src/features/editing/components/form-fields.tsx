// Fields of a portal's form inside its FormProvider: label, control, hint or error, and a counter if the length is
// limited. `fieldsOf` returns them with field names checked against the form's type.
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Controller, type FieldPath, type FieldValues, get, useFormContext } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';

interface Common<Name extends string = string> {
  name: Name;
  label: string;
  required?: boolean;
  hint?: string;
}

function useField(name: string) {
  const form = useFormContext();
  const fault = get(form.formState.errors, name) as { message?: string } | undefined;
  return { ...form, fault: fault?.message };
}

interface Text {
  icon?: LucideIcon;
  placeholder?: string;
  type?: string;
  inputMode?: 'numeric';
  autoComplete?: string;
  maxLength?: number;
}

function TextField(props: Common & Text) {
  const id = useId();
  const { register, fault } = useField(props.name);
  return (
    <Field id={id} label={props.label} required={props.required} hint={props.hint} error={fault}>
      <Input
        id={id}
        icon={props.icon}
        type={props.type ?? 'text'}
        inputMode={props.inputMode}
        placeholder={props.placeholder}
        autoComplete={props.autoComplete ?? 'off'}
        required={props.required}
        maxLength={props.maxLength}
        invalid={Boolean(fault)}
        {...register(props.name)}
      />
    </Field>
  );
}

interface LongText {
  rows: number;
  most?: number;
  maxLength?: number;
  placeholder?: string;
}

function TextareaField(props: Common & LongText) {
  const id = useId();
  const { register, watch, fault } = useField(props.name);
  const text = watch(props.name);
  const counter = props.most && typeof text === 'string' ? `${text.length} / ${props.most}` : undefined;
  return (
    <Field id={id} label={props.label} required={props.required} hint={props.hint} error={fault} counter={counter}>
      <Textarea
        id={id}
        rows={props.rows}
        required={props.required}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        invalid={Boolean(fault)}
        {...register(props.name)}
      />
    </Field>
  );
}

interface Choice {
  options: readonly string[];
  placeholder?: string;
  /** The option that empties the field. */
  none?: string;
}

function SelectField(props: Common & Choice) {
  const id = useId();
  const { control, fault } = useField(props.name);
  // A stored value that is no longer in the list stays selectable.
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
              field={props.name}
              value={value}
              placeholder={props.placeholder}
              required={props.required}
              invalid={Boolean(fault)}
              options={[
                ...(props.none ? [{ value: '', label: props.none }] : []),
                ...options.map((option) => ({ value: option, label: option })),
              ]}
              onChange={field.onChange}
              onBlur={field.onBlur}
            />
          </Field>
        );
      }}
    />
  );
}

interface Fields<Name extends string> {
  TextField: (props: Common<Name> & Text) => ReactNode;
  TextareaField: (props: Common<Name> & LongText) => ReactNode;
  SelectField: (props: Common<Name> & Choice) => ReactNode;
}

export const fieldsOf = <Form extends FieldValues>(): Fields<FieldPath<Form>> => ({
  TextField,
  TextareaField,
  SelectField,
});
