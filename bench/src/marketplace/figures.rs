//! The lists of the screens, as `frontend/src/features/*/queries.ts` requests them.

use crate::gateway::Get;
use crate::lists::values::CARD_COLUMNS;
use crate::reader::Who;

const INFLUENCER: &str = "5e7bad00-0000-4000-8000-000000000011";
const AGENCY: &str = "5e7bad00-0000-4000-8000-000000000012";
const GIG: &str = "5e7bad00-0000-4000-8000-000000000013";

pub struct List {
    pub name: &'static str,
    pub read_by: Who,
    /// The request without order and limit.
    pub get: Get,
    /// The first page has the number of all rows.
    pub counts: bool,
    pub size: usize,
    /// The column that orders the list; none if it has one page.
    pub by: Option<&'static str>,
    pub ascending: bool,
    /// The table and the condition of the rows, to find the last row before a deep page.
    pub rows: (&'static str, String),
}

impl List {
    fn counted(self) -> Self {
        Self { counts: true, ..self }
    }

    fn of_size(self, size: usize) -> Self {
        Self { size, ..self }
    }

    fn ordered_by(self, column: &'static str, ascending: bool) -> Self {
        Self { by: Some(column), ascending, ..self }
    }

    fn one_page(self) -> Self {
        Self { by: None, ..self }
    }

    fn with(self, name: &'static str, value: &str) -> Self {
        Self { get: self.get.with(name, value), ..self }
    }

    /// The first page, or the page after this row.
    pub fn page(&self, after: Option<(&str, &str)>) -> Get {
        let Some(by) = self.by else { return self.finished(self.get.clone()) };
        let (bound, next, order) = if self.ascending { ("gte", "gt", "asc") } else { ("lte", "lt", "desc") };
        let get = match after {
            None => self.get.clone(),
            Some((moment, id)) => self.get.clone().with(by, format!("{bound}.{moment}")).with(
                "or",
                format!("({by}.{next}.\"{moment}\",and({by}.eq.\"{moment}\",id.{next}.\"{id}\"))"),
            ),
        };
        let get = get.with("order", format!("{by}.{order},id.{order}")).with("limit", self.size.to_string());
        if after.is_none() { self.finished(get) } else { get }
    }

    fn finished(&self, get: Get) -> Get {
        if self.counts { get.counted() } else { get }
    }
}

fn list(
    name: &'static str,
    read_by: Who,
    (table, select): (&'static str, &str),
    (rows, condition): (&'static str, &str),
) -> List {
    List {
        name,
        read_by,
        get: Get { table, ..Get::default() }.with("select", select),
        counts: false,
        size: 24,
        by: Some("created_at"),
        ascending: false,
        rows: (rows, condition.to_owned()),
    }
}

pub fn all() -> Vec<List> {
    [enquiries(), notifications(), applications(), gigs(), work(), reports()].into_iter().flatten().collect()
}

fn enquiries() -> Vec<List> {
    let asked = ("enquiries", "*,influencers(id,user_id,name,username,profile_image)");
    let (received, sent) =
        (format!("influencer_id = '{INFLUENCER}'"), format!("sender_user_id = '{AGENCY}'"));
    let of = |name, who, condition: &str| list(name, who, asked, ("enquiries", condition));
    vec![
        of("enquiries received", Who::BusyInfluencer, &received)
            .with("influencer_id", &format!("eq.{INFLUENCER}")),
        of("enquiries received, open", Who::BusyInfluencer, &format!("{received} and state = 'open'"))
            .with("influencer_id", &format!("eq.{INFLUENCER}"))
            .with("state", "eq.open"),
        of("enquiries sent", Who::BusyAgency, &sent).with("sender_user_id", &format!("eq.{AGENCY}")),
        of("enquiries, no filter", Who::BusyInfluencer, &received),
    ]
}

fn notifications() -> Vec<List> {
    let own = format!("user_id = '{INFLUENCER}'");
    let of = |name, select| list(name, Who::BusyInfluencer, ("notifications", select), ("notices", &own));
    let columns = "id,kind,data,created_at,seen_at";
    vec![
        of("unread notifications, counted", "id").with("seen_at", "is.null").counted().one_page(),
        of("notifications of the bell", columns)
            .with("order", "created_at.desc,id.desc")
            .with("limit", "6")
            .one_page(),
        of("notifications", columns).counted(),
    ]
}

fn applications() -> Vec<List> {
    const COLUMNS: &str = "id,gig_id,gig_title,pitch,quote,state,created_at,decided_at,collaboration_id";
    let (own, of_gig) = (format!("influencer_id = '{INFLUENCER}'"), format!("gig_id = '{GIG}'"));
    let with_agency = format!("{COLUMNS},gigs(agencies(id,name))");
    let with_card = format!("{COLUMNS},influencers({CARD_COLUMNS})");
    let of = |name, who, select: &str, condition: &str| {
        list(name, who, ("gig_applications", select), ("gig_applications", condition))
    };
    vec![
        of("own applications", Who::BusyInfluencer, &with_agency, &own)
            .with("influencer_id", &format!("eq.{INFLUENCER}"))
            .counted(),
        of("applications of a day, counted", Who::BusyInfluencer, "id", &own)
            .with("influencer_id", &format!("eq.{INFLUENCER}"))
            .with("created_at", "gt.2000-01-01")
            .counted()
            .one_page(),
        of("applicants of a gig", Who::BusyAgency, &with_card, &of_gig)
            .with("gig_id", &format!("eq.{GIG}"))
            .of_size(100),
        of("applications, no filter, influencer", Who::BusyInfluencer, COLUMNS, &own),
        of("applications, no filter, agency", Who::BusyAgency, COLUMNS, &of_gig),
    ]
}

fn gigs() -> Vec<List> {
    const COLUMNS: &str = "id,title,description,budget,duration,requirements,created_at,closes_on";
    let cards = format!("{COLUMNS},agencies(name,logo_url),gig_status(state),gig_applications(state)");
    let details = format!(
        "{COLUMNS},places,agencies(id,user_id,name,logo_url,location,badge_type),gig_status(state,accepted),gig_applications(id,state)"
    );
    let managed = format!("{COLUMNS},places,gig_status(state,applicants,waiting)");
    let one = |name, who| {
        list(name, who, ("gigs", &details), ("gigs", "true"))
            .with("id", &format!("eq.{GIG}"))
            .with("gig_applications.limit", "1")
            .one_page()
    };
    vec![
        list("gigs with the own application", Who::BusyInfluencer, ("gigs", &cards), ("gigs", "true"))
            .counted(),
        one("a gig, as an applicant", Who::BusyInfluencer),
        one("a gig, as its agency", Who::BusyAgency),
        list(
            "gigs of an agency",
            Who::BusyAgency,
            ("gigs", &managed),
            ("gigs", &format!("agency_id = '{AGENCY}'")),
        )
        .with("agency_id", &format!("eq.{AGENCY}"))
        .counted(),
    ]
}

fn work() -> Vec<List> {
    const COLLABORATIONS: &str = "id,created_at,source,title,influencer_id,agency_id,state,influencer_completed_at,\
        client_completed_at,completed_at,cancelled_at,cancelled_by,reason,side,influencer_name,client_name,influencer_email,\
        client_email,review_until,reviews(side,published_at)";
    const REVIEWS: &str = "id,side,rating,text,paid_on_time,reply,published_at,influencers(id,name,profile_image),\
        agencies(id,name,company_name,logo_url)";
    let reviews = |name, who, column: &'static str, id: &str, side: &str| {
        list(name, who, ("reviews", REVIEWS), ("reviews", &format!("{column} = '{id}' and side = '{side}'")))
            .with(column, &format!("eq.{id}"))
            .with("side", &format!("eq.{side}"))
            .with("published_at", "not.is.null")
            .of_size(10)
            .ordered_by("published_at", false)
    };
    let own = format!("influencer_id = '{INFLUENCER}'");
    vec![
        list(
            "collaborations",
            Who::BusyInfluencer,
            ("collaborations", COLLABORATIONS),
            ("collaborations", &own),
        )
        .counted(),
        reviews("reviews of an influencer", Who::Visitor, "influencer_id", INFLUENCER, "client"),
        reviews("reviews of an agency", Who::BusyInfluencer, "agency_id", AGENCY, "influencer"),
    ]
}

fn reports() -> Vec<List> {
    const COLUMNS: &str =
        "id,kind,subject_id,title,reason,words,state,created_at,reporter_id,report_decisions(taker,decider)";
    let queue = |name, state: &str, ascending| {
        list(name, Who::Admin, ("reports", COLUMNS), ("reports", &format!("state = '{state}'")))
            .with("state", &format!("eq.{state}"))
            .of_size(50)
            .ordered_by("created_at", ascending)
    };
    vec![
        queue("open reports", "open", true),
        queue("dismissed reports", "dismissed", false),
        queue("dismissed reports of a kind", "dismissed", false).with("kind", "eq.gig"),
        list("reports, counted by state", Who::Admin, ("report_counts", "open,taken"), ("reports", "true"))
            .one_page(),
        list("an own open report", Who::BusyInfluencer, ("reports", "created_at"), ("reports", "true"))
            .with("reporter_id", &format!("eq.{INFLUENCER}"))
            .with("kind", "eq.gig")
            .with("subject_id", &format!("eq.{GIG}"))
            .with("state", "in.(open,taken)")
            .with("limit", "1")
            .one_page(),
        list(
            "blocked senders",
            Who::Admin,
            ("blocked_senders", "id,user_id,name,reason,blocker,created_at"),
            ("blocked_senders", "true"),
        )
        .of_size(50),
    ]
}
