import { Globe, Link2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { PlatformIcon } from '@/components/platform-icon';
import { Switch } from '@/components/ui/switch';
import { PLATFORM_NAMES, PLATFORMS, type Platform } from '@/lib/followers';
import { TextField } from '../fields';
import { type ProfileForm, switched } from '../schema';

export function SocialTab() {
  return (
    <>
      <div>
        <h2>Social Media</h2>
        <p className="sub">Switching a platform off clears its link and follower count.</p>
      </div>
      <div className="stack" style={{ gap: 12 }}>
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
    <Row name="Website" icon={<Globe className="i" aria-hidden="true" />} on={website.on} onChange={toggle}>
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
    <div className="box">
      <div className="row" style={{ gap: 14 }}>
        <span className={props.on ? 'box-icon on' : 'box-icon'}>{props.icon}</span>
        <label className="grow box-name" htmlFor={id}>
          {props.name}
        </label>
        <Switch id={id} checked={props.on} onChange={props.onChange} />
      </div>
      {props.on ? (
        <div className="cols2" style={{ marginTop: 16 }}>
          {props.children}
        </div>
      ) : null}
    </div>
  );
}
