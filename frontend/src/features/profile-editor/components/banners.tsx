import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Hand, Hourglass, type LucideIcon, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { seeNotice } from '../mutations';
import { approvalNoticeQuery } from '../queries';

/** The state of the profile: before the first save, pending approval, or just approved. */
export function StateBanners(props: { userId: string; isSaved: boolean; isApproved: boolean }) {
  if (props.isApproved) return <ApprovedBanner userId={props.userId} />;
  return (
    <>
      {props.isSaved ? null : (
        <Banner look="green" icon={Hand} title="Welcome to Serasi">
          Fill in Basic Info and press save to create your profile. Only name, username and category are required.
        </Banner>
      )}
      <Banner icon={Hourglass} title="Pending Approval">
        {props.isSaved
          ? "Your profile is with our team. Agencies can't see it yet; you'll be notified once it is activated."
          : "Our team reviews your profile after the first save. Agencies can't see it yet; you'll be notified once it is activated."}
      </Banner>
    </>
  );
}

/** Shown once: marked as seen as soon as it is displayed, and stays for this visit. */
function ApprovedBanner({ userId }: { userId: string }) {
  const { data: notice } = useQuery(approvalNoticeQuery(userId));
  const [open, setOpen] = useState(true);
  useEffect(() => {
    // If marking it as seen fails, it is shown again next time, which is harmless.
    if (notice?.id) seeNotice(notice.id, notice.created_at ?? '').catch(() => {});
  }, [notice]);
  if (!notice || !open) return null;
  return (
    <Banner look="green" icon={BadgeCheck} title="Your profile is approved" onClose={() => setOpen(false)}>
      Agencies and visitors can see it now.
    </Banner>
  );
}

function Banner(props: { look?: 'green'; icon: LucideIcon; title: string; onClose?: () => void; children: ReactNode }) {
  const Icon = props.icon;
  return (
    <div className={props.look ? `ban ${props.look}` : 'ban'} role="status">
      <span className="bi">
        <Icon className="i" aria-hidden="true" />
      </span>
      <div className="grow">
        <h2 style={{ fontSize: 17, letterSpacing: '-.01em' }}>{props.title}</h2>
        <p>{props.children}</p>
      </div>
      {props.onClose ? (
        <button type="button" className="ib s" aria-label="Close" onClick={props.onClose}>
          <X className="i i18" aria-hidden="true" />
        </button>
      ) : null}
    </div>
  );
}
