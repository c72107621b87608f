import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { useSession } from '@/app/session';
import { Avatar } from '@/components/picture';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { choiceVariants } from '@/components/ui/choice';
import { RequiredMark } from '@/components/ui/field';
import { formFooter } from '@/components/ui/form-footer';
import { EmailField, PasswordField } from '@/features/auth/components/account-fields';
import { RefusalBanner } from '@/features/auth/components/refusal-banner';
import { firstFault } from '@/features/auth/schema';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { newAdmin } from '../admin-schema';
import { createAdmin, type NewAdmin } from '../mutations';
import { staffQuery } from '../staff-queries';

const ROLES = [
  ['admin', 'Admin', 'Approves and deletes profiles, sets page access, badges and subscriptions.'],
  [
    'superadmin',
    'Super Admin',
    'Does everything an admin does, and creates and deletes admins. Give this role to as few people as possible.',
  ],
] as const;

const EMPTY: NewAdmin = { email: '', password: '', role: 'admin' };

const CREATED = {
  admin: 'Admin user created successfully',
  superadmin: 'Super admin user created successfully',
} as const;

export function CreateAdmin() {
  const client = useQueryClient();
  const { refresh } = useSession();
  const form = useForm<NewAdmin>({ resolver: firstFault(newAdmin), defaultValues: EMPTY });
  const creation = useMutation({
    mutationFn: createAdmin,
    onSuccess: (_, { email, role }) => {
      form.reset(EMPTY);
      toast.success(CREATED[role], { description: `${email} can sign in now.` });
      void client.invalidateQueries({ queryKey: ['admin'] });
    },
    onError: (error) => {
      toast.error('Error', { description: reasonOf(error) });
      void refresh();
    },
  });
  const { errors } = form.formState;
  const refusal = creation.error ? { title: reasonOf(creation.error) } : undefined;
  return (
    <div className="grid gap-5 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-7">
      <form
        className={cardVariants()}
        noValidate
        onSubmit={(event) => void form.handleSubmit((input) => creation.mutate(input))(event)}
      >
        <div className="grid gap-5.5 p-6 max-sm:p-4.5">
          <div>
            <h2 className="text-[24px]">Create Admin</h2>
            <p className="mt-1 text-muted-foreground">They sign in at Admin login with this e-mail and password.</p>
          </div>
          <RefusalBanner refusal={refusal} />
          <div className="grid gap-5 *:min-w-0 sm:grid-cols-2">
            <EmailField required field={form.register('email')} error={errors.email?.message} />
            <PasswordField
              required
              isNew
              field={form.register('password')}
              error={errors.password?.message}
              hint="At least 6 characters. Share it in person."
            />
          </div>
          <RoleChoice form={form} />
        </div>
        <div className={formFooter}>
          <Button
            variant="outline"
            onClick={() => {
              form.reset(EMPTY);
              creation.reset();
            }}
          >
            Clear
          </Button>
          <Button type="submit" busy={creation.isPending}>
            <UserPlus aria-hidden="true" />
            {creation.isPending ? 'Creating...' : 'Create Admin'}
          </Button>
        </div>
      </form>
      <WhoHasAccess />
    </div>
  );
}

function RoleChoice({ form }: { form: ReturnType<typeof useForm<NewAdmin>> }) {
  const chosen = useWatch({ control: form.control, name: 'role' });
  return (
    <fieldset>
      <legend className="mb-2 font-semibold text-sm">
        Role
        <RequiredMark />
      </legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {ROLES.map(([role, label, what]) => (
          <label
            key={role}
            className={choiceVariants({ look: 'row', chosen: role === chosen, className: 'cursor-pointer' })}
          >
            <input
              type="radio"
              className="mt-0.5 size-5 flex-none appearance-none rounded-full border-[1.5px] border-input bg-card outline-none checked:border-6 checked:border-primary"
              value={role}
              {...form.register('role')}
            />
            <span>
              <b className="block">{label}</b>
              <span className={role === chosen ? 'text-sm' : 'text-muted-foreground text-sm'}>{what}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function WhoHasAccess() {
  const { data } = useQuery(staffQuery(1, true));
  if (!data) return null;
  return (
    <aside className={cardVariants({ padded: true, className: 'self-start' })}>
      <h2 className="text-[19px]">Who has access now</h2>
      <ul className="mt-4 grid gap-3.5">
        {data.rows.map((row) => (
          <li key={`${row.userId} ${row.role}`} className="flex items-center gap-3">
            <Avatar id={row.userId} name={row.email} src={null} size={40} />
            <div className="wrap-anywhere min-w-0 *:block *:leading-5">
              <b className="font-semibold text-[15px]">{row.email}</b>
              <span className="text-muted-foreground text-sm">
                {row.role === 'superadmin' ? 'Super Admin' : 'Admin'}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </aside>
  );
}
