import { ArrowUpRight, MapPin } from 'lucide-react';
import { Link } from 'react-router';
import { Avatar } from '@/components/picture';
import { PlatformIcon } from '@/components/platform-icon';
import { StateBadge } from '@/components/state-badge';
import { Button, buttonVariants } from '@/components/ui/button';
import { VerificationBadge } from '@/components/verification-badge';
import { ReportLink } from '@/features/reports/components/report-link';
import { paths } from '@/lib/paths';
import { countedPlatforms, PLATFORM_NAMES } from '@/lib/platforms';
import { nameOf } from '../columns';
import type { Decision } from '../mutations';
import type { Applicant } from '../queries';
import { Sent } from './own-application';

/** One applicant's profile and application, with the decisions that are possible now. */
export function ApplicantPanel(props: {
  applicant: Applicant;
  /** A dialog around it shows the name. */
  isTitled: boolean;
  isFull: boolean;
  busy: boolean;
  onDecide: (decision: Decision) => void;
}) {
  const { applicant, busy, onDecide } = props;
  const { influencers: profile, state } = applicant;
  return (
    <div className="wrap-anywhere grid gap-5">
      <div className="flex items-center gap-4">
        <Avatar id={applicant.id} name={nameOf(applicant)} src={profile?.profile_image} size={72} />
        <div className="min-w-0">
          {props.isTitled ? <h2 className="text-[22px] leading-7">{nameOf(applicant)}</h2> : null}
          {profile ? (
            <p className="flex items-center gap-1.5 text-muted-foreground text-sm">
              <span className="min-w-0">@{profile.username}</span>
              <VerificationBadge type={profile.badge_type} />
            </p>
          ) : null}
          <StateBadge of="application" state={state} className="mt-2" />
        </div>
      </div>
      {profile ? <Profile profile={profile} /> : <p>This account was deleted. Its application stays here.</p>}
      <Sent application={applicant} />
      {state === 'applied' ? (
        <div className="grid grid-cols-2 gap-3">
          <Button busy={busy} onClick={() => onDecide('shortlisted')}>
            Shortlist
          </Button>
          <Button variant="outline" disabled={busy} onClick={() => onDecide('declined')}>
            Decline
          </Button>
        </div>
      ) : null}
      {state === 'shortlisted' ? (
        <>
          <div className="grid grid-cols-2 gap-3">
            <Button busy={busy} disabled={props.isFull} onClick={() => onDecide('accepted')}>
              Accept
            </Button>
            <Button variant="outline" disabled={busy} onClick={() => onDecide('declined')}>
              Decline
            </Button>
          </div>
          {props.isFull ? (
            <p className="text-muted-foreground text-sm">All places are taken. Add places in the gig to accept more.</p>
          ) : null}
        </>
      ) : null}
      <ReportLink
        kind="application"
        id={applicant.id}
        name={`the application of ${nameOf(applicant)}`}
        className="-ml-3 justify-self-start"
      />
    </div>
  );
}

function Profile({ profile }: { profile: NonNullable<Applicant['influencers']> }) {
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
        <span className="font-semibold">{profile.category}</span>
        {profile.location ? (
          <span className="inline-flex items-center gap-1 text-muted-foreground">
            <MapPin className="size-4" aria-hidden="true" />
            {profile.location}
          </span>
        ) : null}
        {countedPlatforms(profile).map((platform) => (
          <span key={platform} className="inline-flex items-center gap-1 tabular-nums" title={PLATFORM_NAMES[platform]}>
            <PlatformIcon platform={platform} className="size-4" />
            <span className="sr-only">{PLATFORM_NAMES[platform]}</span>
            {profile[`${platform}_followers`]}
          </span>
        ))}
      </p>
      {profile.bio ? <p className="line-clamp-4 text-[15px] text-muted-foreground">{profile.bio}</p> : null}
      <Link
        className={buttonVariants({ variant: 'outline', size: 'small', className: 'justify-self-start' })}
        to={paths.profile(profile.id)}
      >
        Open profile
        <ArrowUpRight aria-hidden="true" />
      </Link>
    </div>
  );
}
