import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { Avatar } from '@/components/picture';
import { Button } from '@/components/ui/button';
import { EmailField, PasswordField } from '@/features/auth/components/account-fields';
import { RefusalBanner } from '@/features/auth/components/refusal-banner';
import { firstFault } from '@/features/auth/schema';
import { newAdmin } from '../admin-schema';
import { createAdmin, type NewAdmin } from '../mutations';
import { reasonOf } from '../reason';
import { staffQuery } from '../staff-queries';
import '@/styles/account.css';

const ROLES = [
  ['admin', 'Admin', 'Approves and deletes profiles, sets page access, badges and subscriptions.'],
  [
    'superadmin',
    'Super Admin',
    'All of that, and creates or deletes admins. Give this role to as few people as possible.',
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
    networkMode: 'always',
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
    <div className="create-admin">
      <form
        className="card panel"
        noValidate
        onSubmit={(event) => void form.handleSubmit((input) => creation.mutate(input))(event)}
      >
        <div className="pad stack">
          <div>
            <h2>Create Admin</h2>
            <p className="sub">They sign in at Admin login with this e-mail and password.</p>
          </div>
          <RefusalBanner refusal={refusal} />
          <div className="cols2">
            <EmailField required field={form.register('email')} error={errors.email?.message} />
            <PasswordField
              required
              isNew
              field={form.register('password')}
              error={errors.password?.message}
              hint="At least 6 characters. Pass it on in person."
            />
          </div>
          <RoleChoice form={form} />
        </div>
        <div className="savebar">
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
            <UserPlus className="i" aria-hidden="true" />
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
      <legend className="lab">
        Role
        <span className="req" aria-hidden="true" />
      </legend>
      <div className="choice two">
        {ROLES.map(([role, label, what]) => (
          <label key={role} className={role === chosen ? 'on' : ''}>
            <input type="radio" value={role} {...form.register('role')} />
            <i />
            <span>
              <b>{label}</b>
              <span className="sm muted">{what}</span>
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
    <aside className="card pad who-has-access">
      <h2>Who has access now</h2>
      <ul className="stack">
        {data.rows.map((row) => (
          <li key={`${row.userId} ${row.role}`} className="row">
            <Avatar id={row.userId} name={row.email} src={null} size={40} />
            <div className="account-name">
              <b>{row.email}</b>
              <span className="sm muted">{row.role === 'superadmin' ? 'Super Admin' : 'Admin'}</span>
            </div>
          </li>
        ))}
      </ul>
    </aside>
  );
}
