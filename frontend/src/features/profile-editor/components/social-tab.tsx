import { Globe, Link2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { PlatformIcon } from '@/components/platform-icon';
import { Switch } from '@/components/ui/switch';
import { PLATFORM_NAMES, PLATFORMS, type Platform } from '@/lib/platforms';
import { TextField } from '../fields';
import { type ProfileForm, switched } from '../schema';

export function SocialTab() {
  return (
    <>
      <div>
        <h2 className="text-[24px]">Social Media</h2>
        <p className="mt-1 text-muted-foreground">Switching a platform off clears its link and follower count.</p>
      </div>
      <div className="grid gap-3">
        {PLATFORMS.map((platform) => (
          <PlatformRow key={platform} platform={platform} />
        ))}
        <WebsiteRow />
      </div>
    </>
  );
}

function PlatformRow({ platform }: { platform: Platform }) {
  const { watch, setValue, clearErrors } = useFormContext<ProfileForm>();
  const account = watch(platform);
  function toggle(on: boolean) {
    setValue(platform, switched(account, on), { shouldDirty: true });
    clearErrors(platform);
  }
  return (
    <Row name={PLATFORM_NAMES[platform]} icon={<PlatformIcon platform={platform} />} on={account.on} onChange={toggle}>
      <TextField name={`${platform}.link`} label="Profile link" icon={Link2} type="url" placeholder="https://" />
      <TextField
        name={`${platform}.followers`}
        label={platform === 'youtube' ? 'Subscribers' : 'Followers'}
        placeholder="e.g. 12K or 1.5M"
      />
    </Row>
  );
}

function WebsiteRow() {
  const { watch, setValue, clearErrors } = useFormContext<ProfileForm>();
  const website = watch('website');
  function toggle(on: boolean) {
    setValue('website', switched(website, on), { shouldDirty: true });
    clearErrors('website');
  }
  return (
    <Row name="Website" icon={<Globe aria-hidden="true" />} on={website.on} onChange={toggle}>
      <TextField name="website.link" label="Link" icon={Link2} type="url" placeholder="https://" />
    </Row>
  );
}

function Row(props: {
  name: string;
  icon: ReactNode;
  on: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="inset-ring-[1.5px] inset-ring-border rounded-lg px-4.5 py-4">
      <div className="flex items-center gap-3.5">
        <span
          className={
            props.on
              ? 'grid size-11 flex-none place-items-center rounded-md bg-primary-soft text-primary-soft-foreground'
              : 'grid size-11 flex-none place-items-center rounded-md bg-muted text-muted-foreground'
          }
        >
          {props.icon}
        </span>
        <label className="min-w-0 flex-1 font-bold font-display text-[18px] leading-[1.2]" htmlFor={id}>
          {props.name}
        </label>
        <Switch id={id} checked={props.on} onChange={props.onChange} />
      </div>
      {props.on ? <div className="mt-4 grid gap-5 *:min-w-0 sm:grid-cols-2">{props.children}</div> : null}
    </div>
  );
}
