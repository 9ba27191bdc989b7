import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ActionsApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.SeatsApi;
import org.openapitools.client.model.ActionsRequest;
import org.openapitools.client.model.BotSeatPlayer;
import org.openapitools.client.model.NewGame;
import org.openapitools.client.model.NewSeat;
import org.openapitools.client.model.SeatPlayer;

/** Plays a game against three bots with the client that openapi-generator makes for Java, at the address given. */
public class Play {
    static ApiClient client(String address, String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(address);
        if (token != null) {
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        }
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient guest = client(arguments[0], null);
        List<NewSeat> seats = new ArrayList<>();
        seats.add(new NewSeat().player(new SeatPlayer("open")));
        for (int bots = 0; bots < 3; bots++) {
            seats.add(new NewSeat().player(new SeatPlayer(new BotSeatPlayer().bot("random"))));
        }
        NewGame game = new NewGame().edition("antike").board("antike-east").seats(seats).maxRounds(5);
        UUID id = new GamesApi(guest).createGame(game, null, null).getId();
        var claimed = new SeatsApi(guest).claimSeat(id, 0, null, null, null, null);
        ApiClient mine = client(arguments[0], claimed.getToken());
        ActionsApi actions = new ActionsApi(mine);
        ObjectMapper mapper = mine.getObjectMapper();

        Random chance = new Random();
        int acted = 0;
        while (!new GamesApi(mine).getGame(id, null).getStatus().equals("finished")) {
            var legal = actions.listLegalActions(id, null, null);
            if (legal.getPending().stream().anyMatch(question -> claimed.getSeat().equals(question.getSeat()))) {
                var action = legal.getActions().get(chance.nextInt(legal.getActions().size()));
                ActionsRequest request = mapper.convertValue(action, ActionsRequest.class);
                actions.submitAction(id, request, null, "\"" + legal.getSeq() + "\"", null);
                acted++;
            } else {
                Thread.sleep(20);
            }
        }

        var events = new EventsApi(mine).listGameEvents(id, null, 1000, null, null).getItems();
        if (!events.get(0).getPayload().getSetup().getEdition().equals("antike")) {
            throw new AssertionError(events.get(0));
        }
        System.out.println("openapi-generator java: " + events.size() + " events, " + acted + " of them mine");
    }
}
