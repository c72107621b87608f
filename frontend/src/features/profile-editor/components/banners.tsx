import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Hand, Hourglass, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { IconButton } from '@/components/ui/icon-button';
import { seeNotice } from '../mutations';
import { approvalNoticeQuery } from '../queries';

/** The state of the profile: before the first save, pending approval, or just approved. */
export function StateBanners(props: { userId: string; isSaved: boolean; isApproved: boolean }) {
  if (props.isApproved) return <ApprovedBanner userId={props.userId} />;
  return (
    <>
      {props.isSaved ? null : (
        <Banner tone="green" icon={Hand} title="Welcome to Serasi" role="status">
          <p>
            Fill in Basic Info and press save to create your profile. Only name, username and category are required.
          </p>
        </Banner>
      )}
      <Banner icon={Hourglass} title="Pending Approval" role="status">
        <p>
          {props.isSaved
            ? "Your profile is with our team. Agencies can't see it yet; you'll be notified once it is activated."
            : "Our team reviews your profile after the first save. Agencies can't see it yet; you'll be notified once it is activated."}
        </p>
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
    <Banner
      tone="green"
      icon={BadgeCheck}
      title="Your profile is approved"
      role="status"
      actions={
        <IconButton size="small" aria-label="Close" onClick={() => setOpen(false)}>
          <X className="size-4.5" aria-hidden="true" />
        </IconButton>
      }
    >
      <p>Agencies and visitors can see it now.</p>
    </Banner>
  );
}
