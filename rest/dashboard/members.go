package dashboard

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// memberLinkLives is the time for which an invitation is valid.
const memberLinkLives = 24 * time.Hour

func (d *dashboard) members(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showMembers(w, r, s, http.StatusOK, "", view{})
}

// showMembers shows the members; link is an invitation to show once, "" for none.
func (d *dashboard) showMembers(w http.ResponseWriter, r *http.Request, s *session, status int, link string, v view) error {
	list, err := d.Payments.Members(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	v.Title, v.Section = "Team", "members"
	v.Data = struct {
		List []payment.Member
		Link string
		Name string
	}{list, link, r.PostFormValue("name")}
	if link != "" {
		v.Data = struct {
			List []payment.Member
			Link string
			Name string
		}{list, link, ""}
	}
	d.show(w, r, status, "members", s, v)
	return nil
}

// ownMember returns the merchant's member in the path.
func (d *dashboard) ownMember(r *http.Request, s *session) (*payment.Member, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return nil, notYours("member")
	}
	return d.Payments.Member(r.Context(), s.merchant.ID, id)
}

const confirmForTeam = "Confirm your password to change the team."

// addMember adds a member and shows the link that signs the member in once.
func (d *dashboard) addMember(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/members", confirmForTeam)
	}
	name := strings.TrimSpace(r.PostFormValue("name"))
	role, err := payment.ParseRole(r.PostFormValue("role"))
	if err == nil {
		err = payment.CheckName("name", name, true)
	}
	var id int64
	if err == nil {
		id, err = d.Payments.CreateMember(r.Context(), s.merchant.ID, name, role)
	}
	if isInvalid(err) {
		return d.showMembers(w, r, s, http.StatusBadRequest, "", view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	member, err := d.Payments.Member(r.Context(), s.merchant.ID, id)
	if err != nil {
		return err
	}
	return d.invite(w, r, s, member)
}

// invite makes a link that signs a member in once.
func (d *dashboard) invite(w http.ResponseWriter, r *http.Request, s *session, member *payment.Member) error {
	token := memberToken + payment.NewToken()
	if err := d.Payments.OpenMemberSession(r.Context(), payment.HashOf(token), member, true, memberLinkLives); err != nil {
		return err
	}
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "link for member "+member.Name+" made"); err != nil {
		return err
	}
	return d.showMembers(w, r, s, http.StatusOK, d.origin(r)+Prefix+"/link?token="+token, view{})
}

// linkMember makes another link, for example to choose a new password.
func (d *dashboard) linkMember(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.changeMember(w, r, s, "", func(member *payment.Member) error { return nil }, true)
}

func (d *dashboard) changeMember(w http.ResponseWriter, r *http.Request, s *session, message string, change func(*payment.Member) error, invite bool) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/members", confirmForTeam)
	}
	member, err := d.ownMember(r, s)
	if err != nil {
		return err
	}
	if err := change(member); isInvalid(err) {
		return d.showMembers(w, r, s, http.StatusBadRequest, "", view{Error: chain.PublicMessage(err)})
	} else if err != nil {
		return err
	}
	if invite {
		return d.invite(w, r, s, member)
	}
	return d.showMembers(w, r, s, http.StatusOK, "", view{Message: message})
}

// ownRole is the error of an owner who changes the own access, which would leave the page without an owner.
var errOwnRole = chain.Invalidf("you cannot change your own access; another owner can")

// setRole changes the role of a member, whose sessions end.
func (d *dashboard) setRole(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.changeMember(w, r, s, "The role is changed. The member has to sign in again.", func(member *payment.Member) error {
		role, err := payment.ParseRole(r.PostFormValue("role"))
		if err != nil {
			return err
		}
		if member.ID == s.member.ID {
			return errOwnRole
		}
		return d.Payments.SetMemberRole(r.Context(), member, role)
	}, false)
}

func (d *dashboard) removeMember(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.changeMember(w, r, s, "The member is removed and signed out.", func(member *payment.Member) error {
		if member.ID == s.member.ID {
			return errOwnRole
		}
		if err := d.Payments.RemoveMember(r.Context(), member); err != nil {
			return err
		}
		return d.Payments.RemoveTOTP(r.Context(), s.merchant.ID, member.ID)
	}, false)
}

// resetMember removes the second factor of a member who has lost it.
func (d *dashboard) resetMember(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.changeMember(w, r, s, "The second factor is removed.", func(member *payment.Member) error {
		return d.Payments.RemoveTOTP(r.Context(), s.merchant.ID, member.ID)
	}, false)
}
