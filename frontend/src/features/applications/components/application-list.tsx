import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { Link } from 'react-router';
import { EndlessList } from '@/components/endless-list';
import { StateBadge } from '@/components/state-badge';
import { buttonVariants } from '@/components/ui/button';
import { Card, cardVariants } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/lib/paths';
import { type OwnApplication, ownApplications } from '../queries';
import { isOpen, Sent, WithdrawButton } from './own-application';

export function ApplicationList({ influencerId }: { influencerId: string }) {
  return (
    <EndlessList
      quiet
      result={useInfiniteQuery(ownApplications(influencerId))}
      noun={{ one: 'application', many: 'applications' }}
      columns="three"
      card={ApplicationCard}
      skeleton={<ApplicationSkeleton />}
      emptyTitle="No applications yet"
      emptyText="Find a gig and apply. The agency’s decision appears here."
      instead={
        <p className="text-center">
          <Link className={buttonVariants()} to={paths.gigs}>
            See gigs
          </Link>
        </p>
      }
    />
  );
}

/** Without access to gigs, influencers see their applications, but neither the gig nor its agency. */
const ApplicationCard = (application: OwnApplication) => {
  const { gig_id: gigId, gigs: gig, gig_title: title } = application;
  const agency = gig?.agencies;
  return (
    <article className={cardVariants({ className: 'flex flex-col gap-4 p-5.5' })}>
      <StateBadge of="application" state={application.state} className="self-start" />
      <div className="wrap-anywhere">
        <h3 className="text-[20px] leading-6">
          {gigId && gig ? (
            <Link className="hover:underline" to={paths.gig(gigId)}>
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        {agency ? (
          <Link
            className="mt-1 inline-flex items-center gap-1 text-muted-foreground hover:underline"
            to={paths.agency(agency.id)}
          >
            {agency.name}
            <ArrowUpRight className="size-4" aria-hidden="true" />
          </Link>
        ) : null}
        {gigId ? null : <p className="mt-1 font-semibold text-muted-foreground">This gig was removed</p>}
      </div>
      <Sent short application={application} />
      {isOpen(application) ? (
        <div className="mt-auto">
          <WithdrawButton application={application} />
        </div>
      ) : null}
    </article>
  );
};

function ApplicationSkeleton() {
  return (
    <Card className="flex flex-col gap-4 p-5.5" aria-hidden="true">
      <Skeleton className="block h-7.5 w-28" />
      <Skeleton className="block h-6 w-4/5" />
      <Skeleton className="block h-32" />
    </Card>
  );
}
