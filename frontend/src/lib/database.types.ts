export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  // Allows to automatically instantiate createClient with right options
  // instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)
  __InternalSupabase: {
    PostgrestVersion: "14"
  }
  public: {
    Tables: {
      [_ in never]: never
    }
    Views: {
      agencies: {
        Row: {
          access_agencies_page: boolean | null
          access_events_page: boolean | null
          access_gigs_page: boolean | null
          access_influencer_page: boolean | null
          badge_type: string | null
          banner_url: string | null
          company_name: string | null
          contracts_enabled: boolean | null
          created_at: string | null
          description: string | null
          email: string | null
          gallery: string[] | null
          id: string | null
          location: string | null
          logo_url: string | null
          name: string | null
          phone: string | null
          rating: number | null
          review_count: number | null
          subscription_end_date: string | null
          subscription_start_date: string | null
          type: string | null
          user_id: string | null
          website: string | null
        }
        Insert: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          badge_type?: string | null
          banner_url?: string | null
          company_name?: string | null
          contracts_enabled?: boolean | null
          created_at?: string | null
          description?: string | null
          email?: string | null
          gallery?: string[] | null
          id?: string | null
          location?: string | null
          logo_url?: string | null
          name?: string | null
          phone?: string | null
          rating?: number | null
          review_count?: number | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          type?: string | null
          user_id?: string | null
          website?: string | null
        }
        Update: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          badge_type?: string | null
          banner_url?: string | null
          company_name?: string | null
          contracts_enabled?: boolean | null
          created_at?: string | null
          description?: string | null
          email?: string | null
          gallery?: string[] | null
          id?: string | null
          location?: string | null
          logo_url?: string | null
          name?: string | null
          phone?: string | null
          rating?: number | null
          review_count?: number | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          type?: string | null
          user_id?: string | null
          website?: string | null
        }
        Relationships: []
      }
      audit_log: {
        Row: {
          action: string | null
          actor: string | null
          actor_id: string | null
          created_at: string | null
          details: Json | null
          id: number | null
          subject: string | null
          subject_id: string | null
          subject_type: string | null
        }
        Insert: {
          action?: string | null
          actor?: string | null
          actor_id?: string | null
          created_at?: string | null
          details?: Json | null
          id?: number | null
          subject?: string | null
          subject_id?: string | null
          subject_type?: string | null
        }
        Update: {
          action?: string | null
          actor?: string | null
          actor_id?: string | null
          created_at?: string | null
          details?: Json | null
          id?: number | null
          subject?: string | null
          subject_id?: string | null
          subject_type?: string | null
        }
        Relationships: []
      }
      backups: {
        Row: {
          bytes: number | null
          created_at: string | null
          error: string | null
          finished_at: string | null
          id: string | null
          percent: number | null
          picture_count: number | null
          place: string | null
          removed_at: string | null
          requested_by: string | null
          row_count: number | null
          started_at: string | null
          state: string | null
          step: string | null
          verified: boolean | null
          verified_at: string | null
        }
        Insert: {
          bytes?: number | null
          created_at?: string | null
          error?: string | null
          finished_at?: string | null
          id?: string | null
          percent?: number | null
          picture_count?: number | null
          place?: string | null
          removed_at?: string | null
          requested_by?: string | null
          row_count?: number | null
          started_at?: string | null
          state?: string | null
          step?: string | null
          verified?: boolean | null
          verified_at?: string | null
        }
        Update: {
          bytes?: number | null
          created_at?: string | null
          error?: string | null
          finished_at?: string | null
          id?: string | null
          percent?: number | null
          picture_count?: number | null
          place?: string | null
          removed_at?: string | null
          requested_by?: string | null
          row_count?: number | null
          started_at?: string | null
          state?: string | null
          step?: string | null
          verified?: boolean | null
          verified_at?: string | null
        }
        Relationships: []
      }
      blocked_senders: {
        Row: {
          blocked_by: string | null
          blocker: string | null
          created_at: string | null
          id: string | null
          name: string | null
          reason: string | null
          user_id: string | null
        }
        Insert: {
          blocked_by?: string | null
          blocker?: string | null
          created_at?: string | null
          id?: string | null
          name?: never
          reason?: string | null
          user_id?: string | null
        }
        Update: {
          blocked_by?: string | null
          blocker?: string | null
          created_at?: string | null
          id?: string | null
          name?: never
          reason?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      collaborations: {
        Row: {
          agency_id: string | null
          cancelled_at: string | null
          cancelled_by: string | null
          client_completed_at: string | null
          client_email: string | null
          client_name: string | null
          client_user_id: string | null
          completed_at: string | null
          created_at: string | null
          guest_name: string | null
          id: string | null
          influencer_completed_at: string | null
          influencer_email: string | null
          influencer_id: string | null
          influencer_name: string | null
          reason: string | null
          review_until: string | null
          side: string | null
          source: string | null
          state: string | null
          title: string | null
        }
        Insert: {
          agency_id?: string | null
          cancelled_at?: string | null
          cancelled_by?: string | null
          client_completed_at?: string | null
          client_email?: never
          client_name?: never
          client_user_id?: string | null
          completed_at?: string | null
          created_at?: string | null
          guest_name?: string | null
          id?: string | null
          influencer_completed_at?: string | null
          influencer_email?: never
          influencer_id?: string | null
          influencer_name?: never
          reason?: string | null
          review_until?: never
          side?: never
          source?: string | null
          state?: string | null
          title?: string | null
        }
        Update: {
          agency_id?: string | null
          cancelled_at?: string | null
          cancelled_by?: string | null
          client_completed_at?: string | null
          client_email?: never
          client_name?: never
          client_user_id?: string | null
          completed_at?: string | null
          created_at?: string | null
          guest_name?: string | null
          id?: string | null
          influencer_completed_at?: string | null
          influencer_email?: never
          influencer_id?: string | null
          influencer_name?: never
          reason?: string | null
          review_until?: never
          side?: never
          source?: string | null
          state?: string | null
          title?: string | null
        }
        Relationships: []
      }
      enquiries: {
        Row: {
          answer: string | null
          answered_at: string | null
          budget_from: number | null
          budget_to: number | null
          collaboration_id: string | null
          created_at: string | null
          deliverables: string | null
          ends_on: string | null
          expires_at: string | null
          id: string | null
          influencer_id: string | null
          message: string | null
          reason: string | null
          sender_company: string | null
          sender_email: string | null
          sender_name: string | null
          sender_user_id: string | null
          starts_on: string | null
          state: string | null
        }
        Insert: {
          answer?: string | null
          answered_at?: string | null
          budget_from?: number | null
          budget_to?: number | null
          collaboration_id?: string | null
          created_at?: string | null
          deliverables?: string | null
          ends_on?: string | null
          expires_at?: string | null
          id?: string | null
          influencer_id?: string | null
          message?: string | null
          reason?: string | null
          sender_company?: string | null
          sender_email?: string | null
          sender_name?: never
          sender_user_id?: string | null
          starts_on?: string | null
          state?: string | null
        }
        Update: {
          answer?: string | null
          answered_at?: string | null
          budget_from?: number | null
          budget_to?: number | null
          collaboration_id?: string | null
          created_at?: string | null
          deliverables?: string | null
          ends_on?: string | null
          expires_at?: string | null
          id?: string | null
          influencer_id?: string | null
          message?: string | null
          reason?: string | null
          sender_company?: string | null
          sender_email?: string | null
          sender_name?: never
          sender_user_id?: string | null
          starts_on?: string | null
          state?: string | null
        }
        Relationships: []
      }
      favorites: {
        Row: {
          created_at: string | null
          influencer_id: string | null
          user_id: string | null
        }
        Insert: {
          created_at?: string | null
          influencer_id?: string | null
          user_id?: string | null
        }
        Update: {
          created_at?: string | null
          influencer_id?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      gig_applications: {
        Row: {
          collaboration_id: string | null
          created_at: string | null
          decided_at: string | null
          gig_id: string | null
          gig_title: string | null
          id: string | null
          influencer_id: string | null
          pitch: string | null
          quote: number | null
          state: string | null
        }
        Insert: {
          collaboration_id?: string | null
          created_at?: string | null
          decided_at?: string | null
          gig_id?: string | null
          gig_title?: string | null
          id?: string | null
          influencer_id?: string | null
          pitch?: string | null
          quote?: number | null
          state?: string | null
        }
        Update: {
          collaboration_id?: string | null
          created_at?: string | null
          decided_at?: string | null
          gig_id?: string | null
          gig_title?: string | null
          id?: string | null
          influencer_id?: string | null
          pitch?: string | null
          quote?: number | null
          state?: string | null
        }
        Relationships: []
      }
      gig_status: {
        Row: {
          accepted: number | null
          applicants: number | null
          gig_id: string | null
          state: string | null
          waiting: number | null
        }
        Relationships: []
      }
      gigs: {
        Row: {
          agency_id: string | null
          budget: string | null
          closed_at: string | null
          closes_on: string | null
          created_at: string | null
          description: string | null
          duration: string | null
          id: string | null
          places: number | null
          requirements: string | null
          title: string | null
        }
        Insert: {
          agency_id?: string | null
          budget?: string | null
          closed_at?: string | null
          closes_on?: string | null
          created_at?: string | null
          description?: string | null
          duration?: string | null
          id?: string | null
          places?: number | null
          requirements?: string | null
          title?: string | null
        }
        Update: {
          agency_id?: string | null
          budget?: string | null
          closed_at?: string | null
          closes_on?: string | null
          created_at?: string | null
          description?: string | null
          duration?: string | null
          id?: string | null
          places?: number | null
          requirements?: string | null
          title?: string | null
        }
        Relationships: []
      }
      influencers: {
        Row: {
          access_agencies_page: boolean | null
          access_events_page: boolean | null
          access_gigs_page: boolean | null
          access_influencer_page: boolean | null
          age: number | null
          approved: boolean | null
          badge_type: string | null
          bio: string | null
          category: string | null
          content_posts: Json | null
          cover_image: string | null
          created_at: string | null
          date_of_birth: string | null
          ethnicity: string | null
          height: string | null
          id: string | null
          instagram_followers: string | null
          instagram_followers_count: number | null
          instagram_link: string | null
          language: string | null
          location: string | null
          name: string | null
          payment_info: Json | null
          profile_image: string | null
          rating: number | null
          religion: string | null
          review_count: number | null
          services: Json | null
          subscription_end_date: string | null
          subscription_start_date: string | null
          tiktok_followers: string | null
          tiktok_followers_count: number | null
          tiktok_link: string | null
          twitter_followers: string | null
          twitter_followers_count: number | null
          twitter_link: string | null
          user_id: string | null
          username: string | null
          verified: boolean | null
          website_link: string | null
          youtube_followers: string | null
          youtube_followers_count: number | null
          youtube_link: string | null
        }
        Insert: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          age?: number | null
          approved?: boolean | null
          badge_type?: string | null
          bio?: string | null
          category?: string | null
          content_posts?: Json | null
          cover_image?: string | null
          created_at?: string | null
          date_of_birth?: string | null
          ethnicity?: string | null
          height?: string | null
          id?: string | null
          instagram_followers?: string | null
          instagram_followers_count?: number | null
          instagram_link?: string | null
          language?: string | null
          location?: string | null
          name?: string | null
          payment_info?: Json | null
          profile_image?: string | null
          rating?: number | null
          religion?: string | null
          review_count?: number | null
          services?: Json | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          tiktok_followers?: string | null
          tiktok_followers_count?: number | null
          tiktok_link?: string | null
          twitter_followers?: string | null
          twitter_followers_count?: number | null
          twitter_link?: string | null
          user_id?: string | null
          username?: string | null
          verified?: boolean | null
          website_link?: string | null
          youtube_followers?: string | null
          youtube_followers_count?: number | null
          youtube_link?: string | null
        }
        Update: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          age?: number | null
          approved?: boolean | null
          badge_type?: string | null
          bio?: string | null
          category?: string | null
          content_posts?: Json | null
          cover_image?: string | null
          created_at?: string | null
          date_of_birth?: string | null
          ethnicity?: string | null
          height?: string | null
          id?: string | null
          instagram_followers?: string | null
          instagram_followers_count?: number | null
          instagram_link?: string | null
          language?: string | null
          location?: string | null
          name?: string | null
          payment_info?: Json | null
          profile_image?: string | null
          rating?: number | null
          religion?: string | null
          review_count?: number | null
          services?: Json | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          tiktok_followers?: string | null
          tiktok_followers_count?: number | null
          tiktok_link?: string | null
          twitter_followers?: string | null
          twitter_followers_count?: number | null
          twitter_link?: string | null
          user_id?: string | null
          username?: string | null
          verified?: boolean | null
          website_link?: string | null
          youtube_followers?: string | null
          youtube_followers_count?: number | null
          youtube_link?: string | null
        }
        Relationships: []
      }
      moderation_counts: {
        Row: {
          admins: number | null
          agencies: number | null
          influencers: number | null
          pending: number | null
          vendors: number | null
        }
        Relationships: []
      }
      newsletter_subscriptions: {
        Row: {
          email: string | null
        }
        Insert: {
          email?: string | null
        }
        Update: {
          email?: string | null
        }
        Relationships: []
      }
      notices: {
        Row: {
          created_at: string | null
          id: string | null
          kind: string | null
          seen_at: string | null
          user_id: string | null
        }
        Insert: {
          created_at?: string | null
          id?: string | null
          kind?: string | null
          seen_at?: string | null
          user_id?: string | null
        }
        Update: {
          created_at?: string | null
          id?: string | null
          kind?: string | null
          seen_at?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      notification_settings: {
        Row: {
          delivery: string | null
          kind: string | null
          user_id: string | null
        }
        Insert: {
          delivery?: string | null
          kind?: string | null
          user_id?: string | null
        }
        Update: {
          delivery?: string | null
          kind?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      notifications: {
        Row: {
          created_at: string | null
          data: Json | null
          id: string | null
          kind: string | null
          seen_at: string | null
          subject_id: string | null
          user_id: string | null
        }
        Insert: {
          created_at?: string | null
          data?: Json | null
          id?: string | null
          kind?: string | null
          seen_at?: string | null
          subject_id?: string | null
          user_id?: string | null
        }
        Update: {
          created_at?: string | null
          data?: Json | null
          id?: string | null
          kind?: string | null
          seen_at?: string | null
          subject_id?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      profiles: {
        Row: {
          email: string | null
          id: string | null
        }
        Insert: {
          email?: string | null
          id?: string | null
        }
        Update: {
          email?: string | null
          id?: string | null
        }
        Relationships: []
      }
      report_counts: {
        Row: {
          open: number | null
          taken: number | null
        }
        Relationships: []
      }
      report_decisions: {
        Row: {
          actions: string[] | null
          decided_by: string | null
          decider: string | null
          note: string | null
          owner_id: string | null
          report_id: string | null
          taken_at: string | null
          taken_by: string | null
          taker: string | null
        }
        Insert: {
          actions?: string[] | null
          decided_by?: string | null
          decider?: string | null
          note?: string | null
          owner_id?: string | null
          report_id?: string | null
          taken_at?: string | null
          taken_by?: string | null
          taker?: string | null
        }
        Update: {
          actions?: string[] | null
          decided_by?: string | null
          decider?: string | null
          note?: string | null
          owner_id?: string | null
          report_id?: string | null
          taken_at?: string | null
          taken_by?: string | null
          taker?: string | null
        }
        Relationships: []
      }
      reports: {
        Row: {
          created_at: string | null
          decided_at: string | null
          id: string | null
          kind: string | null
          reason: string | null
          reporter_id: string | null
          snapshot: Json | null
          state: string | null
          subject_id: string | null
          text: string | null
          title: string | null
          words: string[] | null
        }
        Insert: {
          created_at?: string | null
          decided_at?: string | null
          id?: string | null
          kind?: string | null
          reason?: string | null
          reporter_id?: string | null
          snapshot?: Json | null
          state?: string | null
          subject_id?: string | null
          text?: string | null
          title?: string | null
          words?: string[] | null
        }
        Update: {
          created_at?: string | null
          decided_at?: string | null
          id?: string | null
          kind?: string | null
          reason?: string | null
          reporter_id?: string | null
          snapshot?: Json | null
          state?: string | null
          subject_id?: string | null
          text?: string | null
          title?: string | null
          words?: string[] | null
        }
        Relationships: []
      }
      reviews: {
        Row: {
          agency_id: string | null
          collaboration_id: string | null
          id: string | null
          influencer_id: string | null
          paid_on_time: boolean | null
          published_at: string | null
          rating: number | null
          reply: string | null
          side: string | null
          text: string | null
        }
        Insert: {
          agency_id?: string | null
          collaboration_id?: string | null
          id?: string | null
          influencer_id?: string | null
          paid_on_time?: boolean | null
          published_at?: string | null
          rating?: number | null
          reply?: string | null
          side?: string | null
          text?: string | null
        }
        Update: {
          agency_id?: string | null
          collaboration_id?: string | null
          id?: string | null
          influencer_id?: string | null
          paid_on_time?: boolean | null
          published_at?: string | null
          rating?: number | null
          reply?: string | null
          side?: string | null
          text?: string | null
        }
        Relationships: []
      }
      user_roles: {
        Row: {
          role: string | null
          user_id: string | null
        }
        Insert: {
          role?: string | null
          user_id?: string | null
        }
        Update: {
          role?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
      vendors: {
        Row: {
          access_agencies_page: boolean | null
          access_events_page: boolean | null
          access_gigs_page: boolean | null
          access_influencer_page: boolean | null
          badge_type: string | null
          company_name: string | null
          created_at: string | null
          description: string | null
          email: string | null
          id: string | null
          location: string | null
          logo_url: string | null
          name: string | null
          phone: string | null
          subscription_end_date: string | null
          subscription_start_date: string | null
          type: string | null
          user_id: string | null
          website: string | null
        }
        Insert: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          badge_type?: string | null
          company_name?: string | null
          created_at?: string | null
          description?: string | null
          email?: string | null
          id?: string | null
          location?: string | null
          logo_url?: string | null
          name?: string | null
          phone?: string | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          type?: string | null
          user_id?: string | null
          website?: string | null
        }
        Update: {
          access_agencies_page?: boolean | null
          access_events_page?: boolean | null
          access_gigs_page?: boolean | null
          access_influencer_page?: boolean | null
          badge_type?: string | null
          company_name?: string | null
          created_at?: string | null
          description?: string | null
          email?: string | null
          id?: string | null
          location?: string | null
          logo_url?: string | null
          name?: string | null
          phone?: string | null
          subscription_end_date?: string | null
          subscription_start_date?: string | null
          type?: string | null
          user_id?: string | null
          website?: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      address_proved: { Args: Record<PropertyKey, never>; Returns: boolean }
      answer_enquiry: {
        Args: {
          accept: boolean
          answer?: string
          enquiry_id: string
          reason?: string
        }
        Returns: Json
      }
      cancel_as_guest: {
        Args: { reason: string; token: string }
        Returns: string
      }
      cancel_collaboration: {
        Args: { collaboration_id: string; reason: string }
        Returns: string
      }
      complete_as_guest: { Args: { token: string }; Returns: string }
      complete_collaboration: {
        Args: { collaboration_id: string }
        Returns: string
      }
      confirm_enquiry: { Args: { token: string }; Returns: Json }
      decide_application: {
        Args: { application_id: string; decision: string }
        Returns: Json
      }
      decide_report: {
        Args: {
          actions?: string[]
          decision: string
          note?: string
          report_id: string
        }
        Returns: string
      }
      decline_applications: {
        Args: { application_ids: string[] }
        Returns: Json
      }
      enquiries_left: { Args: Record<PropertyKey, never>; Returns: number }
      enquiry_contact: { Args: { enquiry_id: string }; Returns: string }
      featured_influencers: {
        Args: Record<PropertyKey, never>
        Returns: {
          category: string
          id: string
          instagram_followers: string
          name: string
          profile_image: string
          tiktok_followers: string
          username: string
        }[]
      }
      guest_collaboration: {
        Args: { token: string }
        Returns: {
          client_completed_at: string
          client_name: string
          completed_at: string
          id: string
          influencer_completed_at: string
          influencer_name: string
          review_until: string
          reviewed: boolean
          state: string
          title: string
        }[]
      }
      guest_enquiry: { Args: { token: string }; Returns: Json }
      hide_review: {
        Args: { reason: string; review_id: string }
        Returns: undefined
      }
      mark_notifications_seen: { Args: { ids?: string[] }; Returns: number }
      reply_to_review: {
        Args: { review_id: string; text: string }
        Returns: undefined
      }
      reported_now: { Args: { report_id: string }; Returns: Json }
      request_backup: { Args: Record<PropertyKey, never>; Returns: string }
      reset_factor: { Args: { account: string }; Returns: undefined }
      review_as_guest: {
        Args: { rating: number; text: string; token: string }
        Returns: undefined
      }
      search_close_influencers: {
        Args: { query: string }
        Returns: {
          badge_type: string
          bio: string
          category: string
          id: string
          instagram_followers: string
          location: string
          name: string
          profile_image: string
          tiktok_followers: string
          twitter_followers: string
          username: string
          youtube_followers: string
        }[]
      }
      send_enquiries: {
        Args: {
          budget_from?: number
          budget_to?: number
          client: string
          company?: string
          deliverables: string
          email?: string
          ends_on?: string
          influencer_ids: string[]
          message: string
          name?: string
          sender: string
          starts_on?: string
        }
        Returns: Json
      }
      set_notification_delivery: {
        Args: { delivery: string; kinds: string[] }
        Returns: undefined
      }
      staff_access: { Args: Record<PropertyKey, never>; Returns: string }
      staff_with_factor: { Args: Record<PropertyKey, never>; Returns: string[] }
      system_health: { Args: Record<PropertyKey, never>; Returns: Json }
      unblock_sender: { Args: { block_id: string }; Returns: undefined }
      unsubscribe: { Args: { token: string }; Returns: string }
      withdraw_application: { Args: { application_id: string }; Returns: Json }
      withdraw_enquiry: { Args: { enquiry_id: string }; Returns: Json }
      withdraw_guest_enquiry: {
        Args: { enquiry_id: string; token: string }
        Returns: Json
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
